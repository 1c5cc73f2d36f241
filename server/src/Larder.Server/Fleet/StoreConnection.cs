using System.Net.Security;
using Larder.Redis;
using Larder.Server.Security;

namespace Larder.Server.Fleet;

/// <summary>Reads how a gateway connects to Redis: the URL, and the files of the password and of TLS.</summary>
internal static class StoreConnection
{
    private const string PasswordOption = "--store-password-file";

    private const string TlsOptions = "--store-ca, --store-cert and --store-key";

    /// <summary>Reads the URL and the files.</summary>
    /// <exception cref="ServerOptionsException">A file cannot be read.</exception>
    public static RedisOptions Read(ServerOptions options)
    {
        string? password = options.StorePasswordPath is { } path ? TokenFile.Read(PasswordOption, path, "password") : null;
        RedisOptions parsed = RedisOptions.Parse(options.Store, password);
        return parsed.Tls is null ? parsed : parsed with { Tls = ReadTls(options) };
    }

    private static SslClientAuthenticationOptions ReadTls(ServerOptions options)
    {
        SslClientAuthenticationOptions tls = new();
        if (options.StoreAuthorityPath is { } authorities)
        {
            tls.CertificateChainPolicy = CertificateFiles.TrustOnly(authorities, "--store-ca", TlsOptions);
        }

        if (options.StoreCertificatePath is { } certificate)
        {
            tls.ClientCertificateContext = CertificateFiles.WithChain(certificate, options.StoreKeyPath!, TlsOptions);
        }

        return tls;
    }
}
