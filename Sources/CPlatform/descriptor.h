#ifndef CPLATFORM_DESCRIPTOR_H
#define CPLATFORM_DESCRIPTOR_H

/* Makes a descriptor non-blocking and close-on-exec; returns it. Keeps errors (negative) as they are. */
int cplatform_prepare(int descriptor);
/* Closes the descriptor and returns -errno as it was before. */
int cplatform_fail(int descriptor);

#endif
