using System.Net;
using System.Net.Sockets;
using Larder.Server.Security;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>The data port: gRPC, in plaintext or over TLS.</summary>
internal static class DataHost
{
    /// <summary>Starts to listen on the data port.</summary>
    /// <param name="options">The server's options.</param>
    /// <param name="router">The calls to serve.</param>
    /// <param name="buffers">The buffer budget of all connections.</param>
    /// <param name="unauthenticatedBuffers">The part of the budget for connections that have not authenticated; null if authentication is not required.</param>
    /// <param name="secrets">Provides the certificate.</param>
    /// <param name="faults">Logs internal errors of connections.</param>
    /// <param name="logger">The logger.</param>
    /// <exception cref="ServerOptionsException">The port cannot be used, or too few file descriptors are available.</exception>
    public static RpcServer Start(
        ServerOptions options,
        RpcRouter router,
        BufferBudget buffers,
        BufferBudget? unauthenticatedBuffers,
        SecretFiles secrets,
        FaultLog faults,
        ILogger logger)
    {
        int connections = DescriptorLimit.Connections(options.MaxConnections);
        if (connections < options.MaxConnections)
        {
            Log.FewerConnections(logger, connections, options.MaxConnections);
        }

        if (secrets.Tls is not null && ConnectionMemory.TlsConnections(connections, options.MemoryBytes) is int room && room < connections)
        {
            Log.FewerTlsConnections(logger, room, connections, ConnectionMemory.BytesPerTlsConnection / 1024);
            connections = room;
        }

        RpcServerOptions limits = new()
        {
            Endpoint = new IPEndPoint(options.Host, options.Port),
            MaxStreamsPerConnection = options.MaxStreamsPerConnection,
            Budget = buffers,
            UnauthenticatedBudget = unauthenticatedBuffers,
            MaxConnections = connections,
            OnConnectionFault = faults.Say,
            Tls = secrets.Tls is null ? null : () => secrets.Tls!,
        };
        try
        {
            return RpcServer.Start(router, limits);
        }
        catch (SocketException taken)
        {
            throw Taken(options, taken);
        }
    }

    /// <summary>
    /// Checks that the port is free, and releases it again. The check comes early because steps before listening, such as loading a snapshot, may take minutes.
    /// </summary>
    /// <exception cref="ServerOptionsException">The port cannot be used.</exception>
    public static void RequireFree(ServerOptions options)
    {
        using Socket probe = new(options.Host.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            probe.Bind(new IPEndPoint(options.Host, options.Port));
            probe.Listen(1);
        }
        catch (SocketException taken)
        {
            throw Taken(options, taken);
        }
    }

    private static ServerOptionsException Taken(ServerOptions options, SocketException taken) =>
        ListenFailure.Of(options.Host, "--host", options.Port, "--port", taken);
}
