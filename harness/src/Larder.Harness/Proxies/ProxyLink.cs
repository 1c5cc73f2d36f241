using System.Net;
using System.Net.Sockets;

namespace Larder.Harness.Proxies;

/// <summary>A connection through a proxy: its two sockets, what is carried each way, and what the proxy does to it.</summary>
internal sealed class ProxyLink : IDisposable
{
    private const int BufferBytes = 64 * 1024;

    private readonly FaultProxy _proxy;
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly IPAddress? _from;
    private readonly TaskCompletionSource _reset = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>A link of two sockets that are connected.</summary>
    public ProxyLink(FaultProxy proxy, int number, Socket client, Socket server)
    {
        (_proxy, Number, _client, _server) = (proxy, number, client, server);
        client.NoDelay = server.NoDelay = true;
        _from = (client.RemoteEndPoint as IPEndPoint)?.Address;
    }

    /// <summary>Done when it is disposed of.</summary>
    public Task Ended => _ended.Task;

    /// <summary>The how many-th of the proxy's it is; from 1.</summary>
    public int Number { get; }

    /// <summary>Whether what is carried from now on is lost.</summary>
    public bool Loses { get; set; }

    private bool IsCut => Loses || _proxy.IsCut || (_proxy.CutFrom is { } address && address.Equals(_from));

    /// <summary>Carries until both sides have ended, or one is gone: then neither is left.</summary>
    public async Task CarryAsync(NetworkDelay? delay)
    {
        await Task.WhenAll(GuardedAsync(_client, _server, delay), GuardedAsync(_server, _client, delay)).ConfigureAwait(false);
        // Both ends have been passed on: a reset would throw away what was sent and is not read yet.
        _client.Dispose();
        _server.Dispose();
    }

    /// <summary>Ends both sides by RST, in the middle of whatever is under way.</summary>
    public void Reset()
    {
        // A close without linger sends RST instead of FIN. What is held is let go into closed sockets.
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
            // Half a connection is of no use: the other way ends as well.
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

        // An end that is lost is no end to the other side, which is open until the link is reset.
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
