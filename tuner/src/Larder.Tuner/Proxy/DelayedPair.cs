using System.Net.Sockets;

namespace Larder.Tuner.Proxy;

/// <summary>A connection through the proxy: its two sockets, and a way for each direction.</summary>
internal sealed class DelayedPair : IDisposable
{
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly DelayedWay _there;
    private readonly DelayedWay _back;

    /// <summary>Begins to carry.</summary>
    public DelayedPair(Socket client, Socket server, DelaySetting delay)
    {
        (_client, _server) = (client, server);
        // What is written goes out: it has been held long enough.
        client.NoDelay = server.NoDelay = true;
        _there = new DelayedWay(client, server, delay);
        _back = new DelayedWay(server, client, delay);
        Ended = Task.WhenAll(_there.Ended, _back.Ended);
    }

    /// <summary>Done when both directions have ended.</summary>
    public Task Ended { get; }

    /// <summary>Breaks the connection; both directions end soon after.</summary>
    public void Break()
    {
        _client.Dispose();
        _server.Dispose();
    }

    /// <summary>To be called when both directions have ended.</summary>
    public void Dispose()
    {
        Break();
        _there.Dispose();
        _back.Dispose();
    }
}
