#ifndef COPENSSL_KEYS_H
#define COPENSSL_KEYS_H

/* Keys on P-256 and what is done with them, each in one call: parameters of EVP are variadic or many, and a forgotten
   free is easier to see here. Every function returns 1, or 0 with nothing written that may be used. */

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { COPENSSL_P256_PRIVATE = 32, COPENSSL_P256_PUBLIC = 65, COPENSSL_P256_SIGNATURE = 64, COPENSSL_GCM_TAG = 16 };

/* The public point (uncompressed) of a private scalar; 0 where the scalar is not between 1 and the group's order. */
static inline int copenssl_p256_public(const uint8_t private_key[32], uint8_t out[65]) {
    int done = 0;
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *scalar = BN_bin2bn(private_key, COPENSSL_P256_PRIVATE, NULL);
    EC_POINT *point = group ? EC_POINT_new(group) : NULL;
    if (group && scalar && point && !BN_is_zero(scalar) && BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0
        && EC_POINT_mul(group, point, scalar, NULL, NULL, NULL))
        done = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, out, COPENSSL_P256_PUBLIC, NULL)
            == COPENSSL_P256_PUBLIC;
    EC_POINT_free(point);
    BN_clear_free(scalar);
    EC_GROUP_free(group);
    return done;
}

/* The private scalar of a key that was read; 0 where it is none on P-256. */
static inline int copenssl_p256_private(const EVP_PKEY *key, uint8_t out[32]) {
    char group[64];
    BIGNUM *scalar = NULL;
    int done = EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, NULL)
        && strcmp(group, "prime256v1") == 0 && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &scalar)
        && BN_bn2binpad(scalar, out, COPENSSL_P256_PRIVATE) == COPENSSL_P256_PRIVATE;
    BN_clear_free(scalar);
    return done;
}

/* `private_key` may be NULL. A public key that is no point of the curve gives NULL. */
static inline EVP_PKEY *copenssl_p256_key(const uint8_t *private_key, const uint8_t public_key[65]) {
    EVP_PKEY *key = NULL;
    BIGNUM *scalar = private_key ? BN_bin2bn(private_key, COPENSSL_P256_PRIVATE, NULL) : NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (builder && context && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0)
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, public_key, COPENSSL_P256_PUBLIC)
        && (!scalar || OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar))
        && (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, private_key ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_clear_free(scalar);
    return key;
}

/* ECDH: the x coordinate both sides share. */
static inline int copenssl_p256_agree(
    const uint8_t private_key[32], const uint8_t public_key[65], const uint8_t peer[65], uint8_t out[32]) {
    int done = 0;
    size_t length = 32;
    EVP_PKEY *own = copenssl_p256_key(private_key, public_key);
    EVP_PKEY *other = copenssl_p256_key(NULL, peer);
    EVP_PKEY_CTX *context = own ? EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL) : NULL;
    if (context && other && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer_ex(context, other, 1) == 1)
        done = EVP_PKEY_derive(context, out, &length) == 1 && length == 32;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(other);
    EVP_PKEY_free(own);
    return done;
}

/* ECDSA over SHA-256, as two numbers of 32 bytes (RFC 7518 section 3.4) instead of DER. */
static inline int copenssl_p256_sign(
    const uint8_t private_key[32], const uint8_t public_key[65], const uint8_t *message, size_t length,
    uint8_t out[64]) {
    int done = 0;
    uint8_t der[80];
    size_t der_length = sizeof der;
    EVP_PKEY *key = copenssl_p256_key(private_key, public_key);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (key && context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, der, &der_length, message, length) == 1) {
        const uint8_t *start = der;
        ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &start, (long)der_length);
        done = signature && BN_bn2binpad(ECDSA_SIG_get0_r(signature), out, 32) == 32
            && BN_bn2binpad(ECDSA_SIG_get0_s(signature), out + 32, 32) == 32;
        ECDSA_SIG_free(signature);
    }
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return done;
}

static inline int copenssl_hmac_sha256(
    const uint8_t *key, size_t key_length, const uint8_t *message, size_t length, uint8_t out[32]) {
    /* A NULL key would mean the one used before. */
    return HMAC(EVP_sha256(), key_length ? key : (const uint8_t *)"", (int)key_length, message, length, out, NULL) != NULL;
}

/* AES-128-GCM: the ciphertext with its tag behind it (`length` + 16 bytes). */
static inline int copenssl_aes128_gcm_seal(
    const uint8_t key[16], const uint8_t nonce[12], const uint8_t *text, int length, uint8_t *out) {
    int done = 0, written = 0, last = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1
        && EVP_EncryptUpdate(context, out, &written, text, length) == 1
        && EVP_EncryptFinal_ex(context, out + written, &last) == 1 && written + last == length)
        done = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, COPENSSL_GCM_TAG, out + length) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

#endif
