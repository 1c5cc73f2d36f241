using System.Net;
using System.Net.Sockets;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

public sealed class ReactorSocketTests
{
    private readonly byte[] _room = new byte[64 * 1024];

    [TimedFact]
    public async Task Receive_waits_for_bytes_and_returns_0_at_end()
    {
        using SocketPair pair = await SocketPair.ConnectAsync();
        ValueTask<int> receive = pair.Near.ReceiveAsync(_room);
        Assert.False(receive.IsCompleted);
        await pair.Far.SendAsync(new byte[] { 1, 2, 3 });
        Assert.Equal(3, await receive);
        Assert.Equal([1, 2, 3], _room[..3]);
        pair.Far.Shutdown(SocketShutdown.Send);
        Assert.Equal(0, await pair.Near.ReceiveAsync(_room));
    }

    [TimedFact]
    public async Task Receive_returns_bytes_that_arrived_before_the_call()
    {
        using SocketPair pair = await SocketPair.ConnectAsync();
        await pair.Far.SendAsync(new byte[] { 1 });
        Assert.Equal(1, await pair.Near.ReceiveAsync(_room));
        // The reactor reports these bytes while no receive is pending. The bytes are received later.
        await pair.Far.SendAsync(new byte[] { 2 });
        await WaitUntilAsync(() => !pair.Near.IsWatched);
        Assert.Equal(1, await pair.Near.ReceiveAsync(_room));
        Assert.Equal(2, _room[0]);
    }

    [TimedFact]
    public async Task Send_completes_when_peer_reads_slowly()
    {
        using SocketPair pair = await SocketPair.ConnectAsync();
        byte[] sent = new byte[16 * 1024 * 1024];
        new Random(20261121).NextBytes(sent);
        Task sending = pair.Near.SendAsync(sent).AsTask();
        Assert.False(sending.IsCompleted);
        byte[] received = new byte[sent.Length];
        for (int count = 0; count < received.Length;)
        {
            count += await pair.Far.ReceiveAsync(received.AsMemory(count));
        }

        await sending;
        Assert.Equal(sent, received);
    }

    [TimedFact]
    public async Task Concurrent_sockets_receive_their_own_bytes()
    {
        for (int round = 0; round < 5; round++)
        {
            SocketPair[] pairs = await Task.WhenAll(Enumerable.Range(0, 40).Select(_ => SocketPair.ConnectAsync()));
            await Task.WhenAll(pairs.Select(async (pair, index) =>
            {
                byte[] room = new byte[4];
                ValueTask<int> receive = pair.Near.ReceiveAsync(room);
                await pair.Far.SendAsync(BitConverter.GetBytes(index));
                Assert.Equal(4, await receive);
                Assert.Equal(index, BitConverter.ToInt32(room));
            }));
            Array.ForEach(pairs, pair => pair.Dispose());
        }
    }

    [TimedFact]
    public async Task Dispose_fails_pending_receive_and_send()
    {
        using SocketPair pair = await SocketPair.ConnectAsync();
        Task receiving = pair.Near.ReceiveAsync(_room).AsTask();
        Task sending = pair.Near.SendAsync(new byte[16 * 1024 * 1024]).AsTask();
        pair.Near.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => receiving);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => sending);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await pair.Near.ReceiveAsync(_room));
    }

    [TimedFact]
    public async Task Receive_throws_after_connection_reset()
    {
        using SocketPair pair = await SocketPair.ConnectAsync();
        await pair.Far.SendAsync(new byte[] { 1 });
        Assert.Equal(1, await pair.Near.ReceiveAsync(_room));
        pair.Far.LingerState = new LingerOption(enable: true, seconds: 0);
        pair.Far.Dispose();
        await WaitUntilAsync(() => !pair.Near.IsWatched);
        IOException lost = await Assert.ThrowsAsync<IOException>(async () => await pair.Near.ReceiveAsync(_room));
        Assert.Equal(SocketError.ConnectionReset, Assert.IsType<SocketException>(lost.InnerException).SocketErrorCode);
    }

    [TimedFact]
    public async Task Connect_to_closed_port_is_refused()
    {
        using Socket taken = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        SocketException refused = await Assert.ThrowsAsync<SocketException>(() =>
            ReactorSocket.ConnectAsync((IPEndPoint)taken.LocalEndPoint!, CancellationToken.None));
        Assert.Equal(SocketError.ConnectionRefused, refused.SocketErrorCode);
    }

    [TimedFact]
    public async Task Blocked_reactor_thread_is_replaced_and_its_sockets_continue()
    {
        // The number of sockets is one more than the number of reactors, so that two sockets share a reactor.
        SocketPair[] pairs = await Task.WhenAll(Enumerable.Range(0, Environment.ProcessorCount + 1).Select(_ => SocketPair.ConnectAsync()));
        using ManualResetEventSlim letGo = new();
        TaskCompletionSource<ReactorThread?> kept = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Task keeping = KeepAsync();
        await pairs[0].Far.SendAsync(new byte[] { 1 });
        ReactorThread? thread = await kept.Task;
        Assert.NotNull(thread);
        thread.Replace();
        foreach (SocketPair pair in pairs[1..])
        {
            ValueTask<int> receive = pair.Near.ReceiveAsync(_room);
            await pair.Far.SendAsync(new byte[] { 2 });
            Assert.Equal(1, await receive);
        }

        letGo.Set();
        await keeping;
        Array.ForEach(pairs, pair => pair.Dispose());

        async Task KeepAsync()
        {
            await pairs[0].Near.ReceiveAsync(new byte[1]).ConfigureAwait(false);
            kept.SetResult(ReactorThread.Current);
            letGo.Wait(TestCalls.Patience);
        }
    }

    private static async Task WaitUntilAsync(Func<bool> isSo)
    {
        while (!isSo())
        {
            await Task.Yield();
        }
    }
}
