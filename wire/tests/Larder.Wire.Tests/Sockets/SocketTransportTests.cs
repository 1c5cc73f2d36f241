using System.Net.Sockets;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

public sealed class SocketTransportTests
{
    [TimedFact]
    public async Task Receive_with_empty_buffer_waits_for_new_data()
    {
        const int Rounds = 500;
        (Socket near, Socket far) = await TlsPair.SocketsAsync();
        using SocketTransport transport = new(near);
        using Socket peer = far;
        byte[] buffer = new byte[1];
        ValueTask<int> waiting = transport.ReceiveAsync(Memory<byte>.Empty);
        for (int round = 0; round < Rounds; round++)
        {
            await peer.SendAsync(buffer);
            Assert.Equal(0, await waiting);
            Assert.Equal(1, await transport.ReceiveAsync(buffer));

            // This byte is received before the event of its arrival is processed. The event then occurs during the next wait, which must not complete.
            await peer.SendAsync(buffer);
            SpinWait.SpinUntil(() => near.Available == 1);
            Assert.Equal(1, await transport.ReceiveAsync(buffer));
            waiting = transport.ReceiveAsync(Memory<byte>.Empty);
            await Task.Yield();
            Assert.False(waiting.IsCompleted, $"A receive with an empty buffer completed without data in round {round}.");
        }

        peer.Shutdown(SocketShutdown.Send);
        Assert.Equal(0, await waiting);
        Assert.Equal(0, await transport.ReceiveAsync(buffer));
    }
}
