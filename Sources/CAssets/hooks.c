#include "CAssets.h"

static const char forward[] = {
#embed "../../hooks/forward.sh"
    , 0};

static const char permission[] = {
#embed "../../hooks/permission.sh"
    , 0};

const char *cassets_forward_sh(void) { return forward; }

const char *cassets_permission_sh(void) { return permission; }
