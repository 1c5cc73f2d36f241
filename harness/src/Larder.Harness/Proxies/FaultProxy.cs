using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Larder.Harness.Proxies;

/// <summary>
/// A TCP proxy that carries as a network would, and breaks as one does: it holds what passes for a while, in order and with jitter; loses it, keeps it back,
/// resets connections, or takes none. At most 1,000 connections at a time, further ones wait to be accepted; a side that does not read holds the other back.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private const int MostConnections = 1000;

    private readonly TcpListener _listener;
    private readonly CancellationTokenSource _closing = new();
    private readonly SemaphoreSlim _room = new(MostConnections);
    private readonly ConcurrentDictionary<ProxyLink, byte> _links = new();
    private readonly string _host;
    private readonly int _port;
    private readonly NetworkDelay? _delay;
    private readonly Task _accepting;
    private volatile Hold? _hold;
    private int _accepted;

    /// <summary>A proxy to <c>host:port</c>.</summary>
    /// <param name="target">Where connections go.</param>
    /// <param name="delay">How long what passes is held; null: not at all.</param>
    /// <param name="address">Where it listens; null: 127.0.0.1.</param>
    /// <param name="port">The port there; 0: a free one.</param>
    public FaultProxy(string target, NetworkDelay? delay = null, IPAddress? address = null, int port = 0)
    {
        var uri = new Uri("tcp://" + target);
        (_host, _port, _delay) = (uri.Host, uri.Port, delay);
        _listener = new TcpListener(address ?? IPAddress.Loopback, port);
        _listener.Start();
        Endpoint = _listener.LocalEndpoint.ToString()!;
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _accepting = AcceptAsync();
    }

    /// <summary>A proxy to a port of the loopback.</summary>
    public FaultProxy(int target, IPAddress? address = null, int port = 0)
        : this($"127.0.0.1:{target}", null, address, port)
    {
    }

    /// <summary>Where it listens: <c>host:port</c>.</summary>
    public string Endpoint { get; }

    /// <summary>The port of it.</summary>
    public int Port { get; }

    /// <summary>Connections accepted so far.</summary>
    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>Connections carried now.</summary>
    public int Connections => _links.Count;

    /// <summary>Connections reset so far, one at a time.</summary>
    public int Resets { get; private set; }

    /// <summary>Whether new connections are reset at once.</summary>
    public bool IsRefusing { get; set; }

    /// <summary>Whether nothing that either side sends arrives, and nothing is closed: a network that is cut, for as long as this is so.</summary>
    public bool IsCut { get; set; }

    /// <summary>The same for connections from this address alone; null: none.</summary>
    public IPAddress? CutFrom { get; set; }

    /// <summary>Loses everything on the connections that are open now, in both directions, without closing them: half-open for good.</summary>
    public void LoseAll()
    {
        foreach (ProxyLink link in _links.Keys)
        {
            link.Loses = true;
        }
    }

    /// <summary>Holds everything on the connections numbered from <paramref name="from"/> on, those to come included.</summary>
    public void HoldFrom(int from) => _hold = new Hold(from, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Lets held bytes go.</summary>
    public void Release()
    {
        _hold?.Released.TrySetResult();
        _hold = null;
    }

    /// <summary>Resets one connection, on both sides; false when there is none.</summary>
    public bool ResetOne(Random random)
    {
        ArgumentNullException.ThrowIfNull(random);
        ProxyLink[] links = [.. _links.Keys];
        if (links.Length == 0)
        {
            return false;
        }

        links[random.Next(links.Length)].Reset();
        Resets++;
        return true;
    }

    /// <summary>Resets every open connection.</summary>
    public void ResetAll()
    {
        foreach (ProxyLink link in _links.Keys)
        {
            link.Reset();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        _listener.Stop();
        await _accepting.ConfigureAwait(false);
        Release();
        ResetAll();
        await Task.WhenAll(_links.Keys.Select(link => link.Ended)).ConfigureAwait(false);
        _listener.Dispose();
        _closing.Dispose();
    }

    /// <summary>Done when a link may carry on.</summary>
    internal Task GateOf(ProxyLink link) => _hold is { } hold && link.Number >= hold.From ? hold.Released.Task : Task.CompletedTask;

    private async Task AcceptAsync()
    {
        while (!_closing.IsCancellationRequested)
        {
            try
            {
                await _room.WaitAsync(_closing.Token).ConfigureAwait(false);
                Socket client = await _listener.AcceptSocketAsync(_closing.Token).ConfigureAwait(false);
                _ = ServeAsync(client, Interlocked.Increment(ref _accepted));
            }
            catch (Exception closed) when (closed is OperationCanceledException or SocketException or ObjectDisposedException)
            {
                // It is closing, or a connection was gone before it was accepted.
                _room.Release();
            }
        }
    }

    private async Task ServeAsync(Socket client, int number)
    {
        Socket server = new(SocketType.Stream, ProtocolType.Tcp);
        using var link = new ProxyLink(this, number, client, server);
        // Known before anything passes: who has seen something pass may reset it.
        _links[link] = 0;
        try
        {
            if (IsRefusing)
            {
                return;
            }

            await server.ConnectAsync(_host, _port, _closing.Token).ConfigureAwait(false);
            await link.CarryAsync(_delay).ConfigureAwait(false);
        }
        catch (Exception unreachable) when (unreachable is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // The client sees what it would see without a proxy: a connection that ends at once.
        }
        finally
        {
            _links.TryRemove(link, out _);
            _room.Release();
        }
    }

    private sealed record Hold(int From, TaskCompletionSource Released);
}
