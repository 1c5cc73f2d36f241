using System.Net;
using System.Net.Sockets;
using Larder.Wire.Sockets;

namespace Larder.Tuner.Peers.Floor;

/// <summary>The server of the floor baseline. It responds to each call with the requested number of bytes and stores nothing.</summary>
internal sealed class FloorServer(IByteTransport transport) : FloorLink(transport)
{
    private static readonly byte[] s_answer = new byte[1024 * 1024];

    /// <summary>Listens on a free loopback port, prints the address, and serves until stdin ends.</summary>
    public static async Task<int> RunUntilEndAsync()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Console.WriteLine($"listening on {listener.LocalEndPoint}");
        _ = AcceptAsync(listener);
        await Console.In.ReadToEndAsync().ConfigureAwait(false);
        return 0;
    }

    /// <inheritdoc/>
    protected override void OnMessage(int call, int wanted) => Send(call, 0, s_answer.AsSpan(0, Math.Clamp(wanted, 0, s_answer.Length)), []);

    /// <inheritdoc/>
    protected override void OnEnded() => Dispose();

    private static async Task AcceptAsync(Socket listener)
    {
        while (true)
        {
            Socket socket = await listener.AcceptAsync().ConfigureAwait(false);
            socket.NoDelay = true;
            _ = new FloorServer(Reactor.IsDefault ? new ReactorSocket(socket) : new SocketTransport(socket)).RunAsync();
        }
    }
}
