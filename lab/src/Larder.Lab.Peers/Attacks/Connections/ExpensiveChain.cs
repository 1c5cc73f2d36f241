using System.Numerics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// An untrusted certificate chain that is expensive to verify. The public exponent of the RSA keys is as long as the modulus, so verifying a signature costs as
/// much as creating one without the Chinese remainder theorem.
/// </summary>
internal static class ExpensiveChain
{
    /// <summary>
    /// The number of certificates of a long chain. Each certificate has 1.4 KB, so the chain stays below the limit of 100 KB for a handshake message.
    /// </summary>
    public const int LongChain = 40;

    /// <summary>The number of certificates that fit into the 10 KB that a server accepts from a client before it verifies the chain.</summary>
    public const int ShortChain = 6;

    // The length of the modulus. For a longer modulus, OpenSSL limits the public exponent to 64 bits.
    private const int KeyBits = 3_072;
    private const int Keys = 3;
    private const int PrivateExponent = 65_537;

    /// <summary>Writes two PEM files: a chain with the given number of certificates, the leaf first, and the private key of the leaf.</summary>
    public static void Write(string chainFile, string keyFile, int certificates)
    {
        RSA[] keys = [.. Enumerable.Range(0, Keys).Select(_ => CreateKey())];
        try
        {
            DateTimeOffset now = DateTimeOffset.UtcNow;
            var chain = new List<string>();
            for (int number = 0; number < certificates; number++)
            {
                CertificateRequest request = new($"CN=chain-{number}", keys[number % Keys], HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
                request.CertificateExtensions.Add(new X509BasicConstraintsExtension(number > 0, false, 0, true));
                X509SignatureGenerator issuer = X509SignatureGenerator.CreateForRSA(keys[(number + 1) % Keys], RSASignaturePadding.Pkcs1);
                using X509Certificate2 certificate = request.Create(
                    new X500DistinguishedName($"CN=chain-{number + 1}"),
                    issuer,
                    now.AddDays(-1),
                    now.AddDays(1),
                    BitConverter.GetBytes(number + 1));
                chain.Add(certificate.ExportCertificatePem());
            }

            File.WriteAllLines(chainFile, chain);
            File.WriteAllText(keyFile, keys[0].ExportPkcs8PrivateKeyPem());
        }
        finally
        {
            Array.ForEach(keys, key => key.Dispose());
        }
    }

    /// <summary>Creates a key with a small private exponent, and therefore a public exponent of the length of the modulus.</summary>
    public static RSA CreateKey()
    {
        while (true)
        {
            using var usual = RSA.Create(KeyBits);
            RSAParameters numbers = usual.ExportParameters(includePrivateParameters: true);
            BigInteger p = Unsigned(numbers.P!), q = Unsigned(numbers.Q!);
            if (Inverse(PrivateExponent, (p - 1) * (q - 1)) is { } exponent)
            {
                int length = numbers.Modulus!.Length;
                numbers.Exponent = Bytes(exponent, exponent.GetByteCount(isUnsigned: true));
                numbers.D = Bytes(PrivateExponent, length);
                numbers.DP = Bytes(PrivateExponent % (p - 1), length / 2);
                numbers.DQ = Bytes(PrivateExponent % (q - 1), length / 2);
                return RSA.Create(numbers);
            }
        }
    }

    // Returns the modular inverse, computed with the extended Euclidean algorithm. Returns null if the numbers have a common factor.
    private static BigInteger? Inverse(BigInteger number, BigInteger modulus)
    {
        (BigInteger remainder, BigInteger next) = (modulus, number);
        (BigInteger factor, BigInteger nextFactor) = (0, 1);
        while (next != 0)
        {
            BigInteger quotient = remainder / next;
            (remainder, next) = (next, remainder - (quotient * next));
            (factor, nextFactor) = (nextFactor, factor - (quotient * nextFactor));
        }

        return remainder == 1 ? (factor + modulus) % modulus : null;
    }

    private static BigInteger Unsigned(byte[] bytes) => new(bytes, isUnsigned: true, isBigEndian: true);

    private static byte[] Bytes(BigInteger number, int length)
    {
        byte[] bytes = number.ToByteArray(isUnsigned: true, isBigEndian: true);
        byte[] padded = new byte[length];
        bytes.CopyTo(padded, length - bytes.Length);
        return padded;
    }
}
