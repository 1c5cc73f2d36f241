using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Larder.Harness.Proxies;

/// <summary>
/// A TCP proxy that simulates a network and its failures. It can delay, lose or hold data, and reset or refuse connections. Delayed data can have jitter and
/// stays in order. The proxy forwards at most 1,000 connections concurrently. Further connections wait until the proxy accepts them. If one side does not read,
/// the other side is throttled.
/// </summary>
public sealed class FaultProxy : IAsyncDisposable
{
    private const int MaxConnections = 1000;

    private readonly TcpListener _listener;
    private readonly CancellationTokenSource _closing = new();
    private readonly SemaphoreSlim _room = new(MaxConnections);
    private readonly ConcurrentDictionary<ProxyLink, byte> _links = new();
    private readonly string _host;
    private readonly int _port;
    private readonly NetworkDelay? _delay;
    private readonly Task _accepting;
    private volatile Hold? _hold;
    private int _accepted;

    /// <summary>Starts a proxy to <c>host:port</c>.</summary>
    /// <param name="target">The address to connect to.</param>
    /// <param name="delay">The delay of forwarded data; null for no delay.</param>
    /// <param name="address">The address to listen on; null for 127.0.0.1.</param>
    /// <param name="port">The port to listen on; 0 for a free port.</param>
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

    /// <summary>Starts a proxy to a loopback port.</summary>
    public FaultProxy(int target, IPAddress? address = null, int port = 0)
        : this($"127.0.0.1:{target}", null, address, port)
    {
    }

    /// <summary>Gets the address on which the proxy listens, as <c>host:port</c>.</summary>
    public string Endpoint { get; }

    /// <summary>Gets the port on which the proxy listens.</summary>
    public int Port { get; }

    /// <summary>Gets the number of connections accepted so far.</summary>
    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>Gets the number of open connections.</summary>
    public int Connections => _links.Count;

    /// <summary>Gets the number of connections reset by <see cref="ResetOne"/> so far.</summary>
    public int Resets { get; private set; }

    /// <summary>Gets or sets whether new connections are reset immediately.</summary>
    public bool IsRefusing { get; set; }

    /// <summary>Gets or sets whether the network is cut. While it is cut, the proxy discards the data of both sides and closes no connection.</summary>
    public bool IsCut { get; set; }

    /// <summary>Gets or sets a client address. The network is cut for the connections from this address. Null for no address.</summary>
    public IPAddress? CutFrom { get; set; }

    /// <summary>
    /// Discards all further data on the currently open connections, in both directions, without closing these connections, so they stay half-open.
    /// </summary>
    public void LoseAll()
    {
        foreach (ProxyLink link in _links.Keys)
        {
            link.Loses = true;
        }
    }

    /// <summary>
    /// Holds all data on each connection whose number is at least <paramref name="from"/>. This includes connections that are accepted later.
    /// </summary>
    public void HoldFrom(int from) => _hold = new Hold(from, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Releases the held data.</summary>
    public void Release()
    {
        _hold?.Released.TrySetResult();
        _hold = null;
    }

    /// <summary>Resets one random connection on both sides. Returns false if there is no connection.</summary>
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

    /// <summary>Waits until a link may forward data.</summary>
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
                // The proxy is closing, or the connection ended before it was accepted.
                _room.Release();
            }
        }
    }

    private async Task ServeAsync(Socket client, int number)
    {
        Socket server = new(SocketType.Stream, ProtocolType.Tcp);
        using var link = new ProxyLink(this, number, client, server);
        // The link is registered before any data is forwarded. A test that has received data can therefore reset the link.
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
            // The target does not accept the connection. So the client's connection is closed immediately.
        }
        finally
        {
            _links.TryRemove(link, out _);
            _room.Release();
        }
    }

    private sealed record Hold(int From, TaskCompletionSource Released);
}
