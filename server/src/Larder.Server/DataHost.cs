using System.Net;
using System.Net.Sockets;
using Larder.Server.Security;
using Larder.Wire;
using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>The data port: gRPC, in plaintext or over TLS.</summary>
internal static class DataHost
{
    /// <summary>Begins to listen.</summary>
    /// <param name="options">The server's options.</param>
    /// <param name="router">The calls.</param>
    /// <param name="buffers">What all connections may hold.</param>
    /// <param name="unauthenticatedBuffers">The part of it for connections that have not authenticated; null: none has to.</param>
    /// <param name="secrets">The certificate.</param>
    /// <param name="faults">Logs what ends a connection.</param>
    /// <param name="logger">Logs.</param>
    /// <exception cref="ServerOptionsException">The port cannot be used, or there are too few descriptors.</exception>
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

    /// <summary>Sees whether the port is free, and lets it go again: what comes before listening may take minutes.</summary>
    /// <exception cref="ServerOptionsException">It cannot be used.</exception>
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
