using System.Net;
using System.Net.Sockets;
using Garnet;

namespace Larder.Tuner.PeerServers;

/// <summary>Garnet with 1 GiB of memory, without persistence and without a cluster, otherwise with its default settings.</summary>
internal static class GarnetHost
{
    public static async Task<int> RunUntilEndAsync()
    {
        int port = FreePort();
        using GarnetServer server = new(["--bind", "127.0.0.1", "--port", $"{port}", "--memory", "1g", "--logger-level", "Error"]);
        server.Start();
        Console.WriteLine($"listening on 127.0.0.1:{port}");
        await Console.In.ReadToEndAsync().ConfigureAwait(false);
        return 0;
    }

    // Garnet cannot listen on port 0.
    private static int FreePort()
    {
        using Socket probe = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }
}
