using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Larder.Wire;

namespace Larder.Server;

/// <summary>The data port: gRPC, in plaintext or over TLS.</summary>
internal static class DataHost
{
    /// <summary>Begins to listen.</summary>
    /// <exception cref="ServerOptionsException">The port, certificate or key cannot be used.</exception>
    public static RpcServer Start(ServerOptions options, RpcRouter router, BufferBudget buffers)
    {
        RpcServerOptions limits = new()
        {
            Endpoint = new IPEndPoint(options.Host, options.Port),
            MaxStreamsPerConnection = options.MaxStreamsPerConnection,
            MaxConnections = options.MaxConnections,
            Budget = buffers,
            Tls = LoadCertificate(options) is { } certificate ? new SslServerAuthenticationOptions { ServerCertificate = certificate } : null,
        };
        try
        {
            return RpcServer.Start(router, limits);
        }
        catch (SocketException taken)
        {
            throw new ServerOptionsException($"port {options.Port} cannot be listened on ({taken.Message}); give another by --port, or 0 for a free one", taken);
        }
    }

    private static X509Certificate2? LoadCertificate(ServerOptions options)
    {
        if (options.TlsCertificatePath is not { } path)
        {
            return null;
        }

        try
        {
            return X509Certificate2.CreateFromPemFile(path, options.TlsKeyPath);
        }
        catch (Exception error) when (error is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ServerOptionsException($"the certificate {path} with the key {options.TlsKeyPath} cannot be read: {error.Message}", error);
        }
    }
}
