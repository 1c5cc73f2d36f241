using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Larder.Tuner.Proxy;

/// <summary>
/// A TCP proxy that holds what it carries for a while, as a network would: half of the delay on the way there, half on the way back, and jitter on top. Nothing
/// overtakes within a connection. At most 256 connections; further ones wait to be accepted.
/// </summary>
internal sealed class DelayProxy : IAsyncDisposable
{
    private const int MaxConnections = 256;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly SemaphoreSlim _room = new(MaxConnections);
    private readonly ConcurrentDictionary<DelayedPair, byte> _pairs = new();
    private readonly string _host;
    private readonly int _port;
    private readonly DelaySetting _delay;
    private readonly Task _accepting;

    /// <summary>A proxy to <c>host:port</c>, listening on a free port of the loopback interface.</summary>
    public DelayProxy(string target, DelaySetting delay)
    {
        var address = new Uri("tcp://" + target);
        (_host, _port, _delay) = (address.Host, address.Port, delay);
        _listener.Start();
        Endpoint = _listener.LocalEndpoint.ToString()!;
        _accepting = AcceptAsync();
    }

    /// <summary>Where it listens.</summary>
    public string Endpoint { get; }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        _listener.Stop();
        await _accepting.ConfigureAwait(false);
        foreach (DelayedPair pair in _pairs.Keys)
        {
            pair.Break();
            await pair.Ended.ConfigureAwait(false);
        }

        _stop.Dispose();
        _listener.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await _room.WaitAsync(_stop.Token).ConfigureAwait(false);
                Socket client = await _listener.AcceptSocketAsync(_stop.Token).ConfigureAwait(false);
                _ = CarryAsync(client);
            }
            catch (Exception over) when (over is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                // The proxy ends: its listener is closed.
                return;
            }
        }
    }

    private async Task CarryAsync(Socket client)
    {
        var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await server.ConnectAsync(_host, _port, _stop.Token).ConfigureAwait(false);
        }
        catch (Exception unreachable) when (unreachable is SocketException or OperationCanceledException)
        {
            // The client sees what it would see without a proxy: a connection that ends at once.
            server.Dispose();
            client.Dispose();
            _room.Release();
            return;
        }

        var pair = new DelayedPair(client, server, _delay);
        _pairs[pair] = 0;
        if (_stop.IsCancellationRequested)
        {
            // The proxy has ended meanwhile, and has not seen this one.
            pair.Break();
        }

        await pair.Ended.ConfigureAwait(false);
        _pairs.TryRemove(pair, out _);
        pair.Dispose();
        _room.Release();
    }
}
