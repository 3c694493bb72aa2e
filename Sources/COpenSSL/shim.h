#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

/* What OpenSSL has as macros or with variable arguments, which Swift does not import. */

static inline EVP_PKEY *copenssl_generate_p256(void) { return EVP_EC_gen("P-256"); }

/* Returns how many bytes there are, and where; they are the BIO's. */
static inline long copenssl_memory(BIO *bio, const char **bytes) { return BIO_get_mem_data(bio, (char **)bytes); }

/* Without a passphrase to be had: a key that needs one fails instead of asking at the terminal. */
static inline int copenssl_no_passphrase(char *out, int size, int writing, void *context) {
    (void)out, (void)size, (void)writing, (void)context;
    return -1;
}

static inline EVP_PKEY *copenssl_read_key(BIO *bio) {
    return PEM_read_bio_PrivateKey(bio, NULL, copenssl_no_passphrase, NULL);
}

static inline int copenssl_is_encrypted_key(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_BAD_PASSWORD_READ;
}

/* Whether the error only says that there is no (more) PEM block. */
static inline int copenssl_is_end_of_pem(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

/* Adds one extension from OpenSSL's own notation; 0: it made none. */
static inline int copenssl_add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    if (extension == NULL) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

/* Whether `issuer` may vouch for the names in `certificate`. */
static inline int copenssl_covers(X509 *issuer, X509 *certificate) {
    /* The names are looked for where this puts them. */
    if (X509_check_purpose(certificate, -1, 0) != 1) return 0;
    NAME_CONSTRAINTS *constraints = X509_get_ext_d2i(issuer, NID_name_constraints, NULL, NULL);
    if (constraints == NULL) return 0;
    int result = NAME_CONSTRAINTS_check(certificate, constraints) == X509_V_OK;
    NAME_CONSTRAINTS_free(constraints);
    return result;
}

/* Calls `found` with each name: is_address tells 4 or 16 bytes from text. */
static inline void copenssl_each_name(
    X509 *certificate, void *context, void (*found)(void *context, int is_address, const unsigned char *bytes, int length)) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        const ASN1_STRING *value = name->type == GEN_DNS ? name->d.dNSName : name->type == GEN_IPADD ? name->d.iPAddress : NULL;
        if (value != NULL) found(context, name->type == GEN_IPADD, ASN1_STRING_get0_data(value), ASN1_STRING_length(value));
    }
    GENERAL_NAMES_free(names);
}

static inline int copenssl_add_chain(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate) == 1;
}

/* The one protocol that is spoken (RFC 7301); a client that knows only others is told so at once. */
static inline int copenssl_choose_protocol(
    SSL *ssl, const unsigned char **out, unsigned char *length, const unsigned char *offered, unsigned int size,
    void *context) {
    static const unsigned char spoken[] = "\x08http/1.1";
    (void)ssl, (void)context;
    int found = SSL_select_next_proto((unsigned char **)out, length, spoken, sizeof spoken - 1, offered, size);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

/* Goes on with another context for a client that asks for a host by its name (RFC 6066 section 3). */
static inline int copenssl_choose_context(SSL *ssl, int *alert, void *named) {
    (void)alert;
    const char *host = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    if (host == NULL) return SSL_TLSEXT_ERR_NOACK;
    /* Some clients send an address here, which is none of the names. */
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(host);
    ERR_clear_error();
    if (address == NULL) SSL_set_SSL_CTX(ssl, named);
    ASN1_OCTET_STRING_free(address);
    return SSL_TLSEXT_ERR_OK;
}

static inline void copenssl_show_to_named(SSL_CTX *context, SSL_CTX *named) {
    SSL_CTX_set_tlsext_servername_callback(context, copenssl_choose_context);
    SSL_CTX_set_tlsext_servername_arg(context, named);
}

/* What every context of a server has, whatever certificate it shows. */
static inline int copenssl_harden(SSL_CTX *context) {
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                     SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    /* A peer that sends nothing but key updates must not keep one call busy. */
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_select_cb(context, copenssl_choose_protocol, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}
#include "keys.h"
