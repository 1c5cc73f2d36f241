using System.Net;
using System.Net.Sockets;

namespace Larder.Client.Tests.Support;

/// <summary>Forwards connections to a local port, and counts the bytes in both directions.</summary>
internal sealed class CountingProxy : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stop = new();
    private readonly int _target;
    private readonly Task _accepting;
    private long _bytes;

    public CountingProxy(int target)
    {
        _target = target;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>Gets the port on which the proxy listens.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>Gets the number of bytes forwarded so far.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        await _accepting;
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        List<Task> connections = [];
        try
        {
            while (true)
            {
                connections.Add(ServeAsync(await _listener.AcceptSocketAsync(_stop.Token)));
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task ServeAsync(Socket accepted)
    {
        using Socket near = accepted;
        using Socket far = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await far.ConnectAsync(IPAddress.Loopback, _target, _stop.Token);
            await Task.WhenAny(ForwardAsync(near, far), ForwardAsync(far, near));
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            // The proxy or its server has closed the connection.
        }
    }

    private async Task ForwardAsync(Socket from, Socket to)
    {
        byte[] buffer = new byte[64 * 1_024];
        try
        {
            while (await from.ReceiveAsync(buffer, _stop.Token) is > 0 and int count)
            {
                Interlocked.Add(ref _bytes, count);
                for (int sent = 0; sent < count;)
                {
                    sent += await to.SendAsync(buffer.AsMemory(sent, count - sent), _stop.Token);
                }
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The client or the server has closed its connection.
        }
    }
}
