using System.Net;
using System.Net.Sockets;
using Larder.Server.Security;
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
            Tls = ServerCertificate.Load(options),
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
}
