using System.Net;
using System.Net.Sockets;

namespace Larder.Conformance.Hostile;

/// <summary>A server that attacks its clients in one mode. It listens on a free loopback port.</summary>
internal sealed class HostileServer : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _stopping = new();
    private readonly Task _accepting;
    private readonly int _seed;
    private int _connections;

    /// <summary>
    /// Starts a server. <paramref name="isPipeline"/> must match the transport of the client's calls. <paramref name="seed"/> determines the random choices.
    /// </summary>
    public HostileServer(HostileMode mode, bool isPipeline, int seed = 0)
    {
        _seed = seed;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(512);
        _accepting = AcceptAsync(mode, isPipeline);
    }

    /// <summary>Gets the address, as host:port.</summary>
    public string Endpoint => _listener.LocalEndPoint!.ToString()!;

    /// <summary>Gets the number of accepted connections.</summary>
    public int Connections => Volatile.Read(ref _connections);

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _accepting.ConfigureAwait(false);
        _listener.Dispose();
        _stopping.Dispose();
    }

    private async Task AcceptAsync(HostileMode mode, bool isPipeline)
    {
        var peers = new List<Task>();
        try
        {
            while (true)
            {
                Socket socket = await _listener.AcceptAsync(_stopping.Token).ConfigureAwait(false);
                var peer = new HostilePeer(socket, mode, isPipeline, unchecked((_seed * 1_000_003) + Interlocked.Increment(ref _connections)), _stopping.Token);
                peers.RemoveAll(each => each.IsCompleted);
                peers.Add(Task.Run(peer.ServeAsync));
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(peers).ConfigureAwait(false);
        }
    }
}
