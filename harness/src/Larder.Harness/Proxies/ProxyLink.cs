using System.Net;
using System.Net.Sockets;

namespace Larder.Harness.Proxies;

/// <summary>One connection through a proxy: its two sockets, the forwarding in both directions, and the faults that the proxy applies.</summary>
internal sealed class ProxyLink : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    private readonly FaultProxy _proxy;
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly IPAddress? _from;
    private readonly TaskCompletionSource _reset = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Creates a link between two sockets.</summary>
    public ProxyLink(FaultProxy proxy, int number, Socket client, Socket server)
    {
        (_proxy, Number, _client, _server) = (proxy, number, client, server);
        client.NoDelay = server.NoDelay = true;
        _from = (client.RemoteEndPoint as IPEndPoint)?.Address;
    }

    /// <summary>A task that completes when the link is disposed.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Gets the number of this connection. The proxy numbers its connections from 1.</summary>
    public int Number { get; }

    /// <summary>Gets or sets whether further data is discarded.</summary>
    public bool Loses { get; set; }

    private bool IsCut => Loses || _proxy.IsCut || (_proxy.CutFrom is { } address && address.Equals(_from));

    /// <summary>Forwards data until both sides have ended their streams, or until one side fails. Then closes both connections.</summary>
    public async Task CarryAsync(NetworkDelay? delay)
    {
        await Task.WhenAll(GuardedAsync(_client, _server, delay), GuardedAsync(_server, _client, delay)).ConfigureAwait(false);
        // The end of stream of both sides has been forwarded. The connections are closed normally, because a reset would discard data that was sent but not
        // read yet.
        _client.Dispose();
        _server.Dispose();
    }

    /// <summary>Ends both sides with RST, regardless of data in transit.</summary>
    public void Reset()
    {
        // Closing with linger 0 sends RST instead of FIN. Held data can no longer be sent after its release, because both sockets of the link are closed.
        _client.Close(0);
        _server.Close(0);
        _reset.TrySetResult();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Reset();
        _ended.TrySetResult();
    }

    private async Task GuardedAsync(Socket from, Socket to, NetworkDelay? delay)
    {
        try
        {
            await CarryAsync(from, to, delay).ConfigureAwait(false);
        }
        catch (Exception gone) when (gone is SocketException or ObjectDisposedException)
        {
            // If one direction has failed, the other direction is also ended.
            Reset();
        }
    }

    private async Task CarryAsync(Socket from, Socket to, NetworkDelay? delay)
    {
        using DelayLine? line = delay is null ? null : new DelayLine(to, delay);
        byte[] buffer = new byte[BufferBytes];
        int read;
        do
        {
            read = await from.ReceiveAsync(buffer).ConfigureAwait(false);
            await Task.WhenAny(_proxy.GateOf(this), _reset.Task).ConfigureAwait(false);
            if (IsCut)
            {
                continue;
            }

            if (line is not null)
            {
                await line.AddAsync(buffer.AsMemory(0, read)).ConfigureAwait(false);
            }
            else if (read == 0)
            {
                to.Shutdown(SocketShutdown.Send);
            }
            else
            {
                await SendAsync(to, buffer.AsMemory(0, read)).ConfigureAwait(false);
            }
        }
        while (read > 0);

        // If data is discarded, the end of stream is also discarded. The other side must then stay open until the link is reset.
        await (IsCut ? _reset.Task : line?.Ended ?? Task.CompletedTask).ConfigureAwait(false);
    }

    private static async Task SendAsync(Socket to, ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[await to.SendAsync(bytes).ConfigureAwait(false)..];
        }
    }
}
