using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Larder.Wire.Sockets;

/// <summary>A connected socket that uses .NET's asynchronous operations. It is used where <see cref="ReactorSocket"/> is not available.</summary>
internal sealed class SocketTransport(Socket socket) : IByteTransport
{
    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) =>
        buffer.IsEmpty ? WaitForDataAsync() : socket.ReceiveAsync(buffer, SocketFlags.None, CancellationToken.None);

    public ValueTask SendAsync(ReadOnlyMemory<byte> bytes)
    {
        ValueTask<int> send = socket.SendAsync(bytes, SocketFlags.None, CancellationToken.None);
        if (!send.IsCompletedSuccessfully)
        {
            return SendRestAsync(send, bytes);
        }

        int sent = send.Result;
        return sent == bytes.Length ? default : SendRestAsync(new ValueTask<int>(sent), bytes);
    }

    public ValueTask CompleteAsync()
    {
        socket.Shutdown(SocketShutdown.Send);
        return ValueTask.CompletedTask;
    }

    public void Abort()
    {
        ResetOnClose.Set(socket);
        // This fails pending receives and sends.
        socket.Dispose();
    }

    public void Dispose() => socket.Dispose();

    // Completes when data has arrived or the peer has closed the connection. On Linux, .NET completes a receive with an empty buffer at the next event of the
    // socket, and does not check whether there is data. The event may belong to data that a previous receive has already read. Without the check in this
    // method, the caller would then start a receive with its own buffer, which would stay allocated while the connection is silent.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> WaitForDataAsync()
    {
        do
        {
            await socket.ReceiveAsync(Memory<byte>.Empty, SocketFlags.None, CancellationToken.None).ConfigureAwait(false);
        }
        while (!socket.Poll(0, SelectMode.SelectRead));
        return 0;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask SendRestAsync(ValueTask<int> send, ReadOnlyMemory<byte> bytes)
    {
        int sent = await send.ConfigureAwait(false);
        while (sent < bytes.Length)
        {
            sent += await socket.SendAsync(bytes[sent..], SocketFlags.None, CancellationToken.None).ConfigureAwait(false);
        }
    }
}
