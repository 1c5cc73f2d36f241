using System.Diagnostics;
using System.Net.Sockets;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

/// <summary>Tests that a socket with short turns waits for one long turn of other sockets, and not for all their long turns (S9).</summary>
public sealed class ReactorTurnsTests
{
    private const int Greedy = 60;

    [TimedFact]
    public async Task Short_turn_waits_for_at_most_one_long_turn()
    {
        Reactor reactor = Reactor.Next();
        int longTurns = 0;
        bool over = false;
        List<SocketPair> pairs = [];
        List<Task> greedy = [];
        byte[] much = new byte[100_000];
        for (int index = 0; index < Greedy; index++)
        {
            SocketPair pair = await SocketPair.ConnectAsync(reactor);
            pairs.Add(pair);
            await pair.Far.SendAsync(much);
            greedy.Add(TakeLongAsync(pair.Near));
        }

        async Task TakeLongAsync(ReactorSocket socket)
        {
            byte[] one = new byte[1];
            while (!Volatile.Read(ref over) && await socket.ReceiveAsync(one) == 1)
            {
                Interlocked.Increment(ref longTurns);
                long until = Stopwatch.GetTimestamp() + (long)(2 * Reactor.LongTurn.TotalSeconds * Stopwatch.Frequency);
                while (Stopwatch.GetTimestamp() < until)
                {
                }
            }
        }

        // The reactor can classify a socket as a socket with long turns only after its first turn.
        while (Volatile.Read(ref longTurns) < 2 * Greedy)
        {
            await Task.Delay(1);
        }

        SocketPair modest = await SocketPair.ConnectAsync(reactor);
        pairs.Add(modest);
        int seen = 0;
        bool tookLong = false;
        Task echo = EchoAsync();
        async Task EchoAsync()
        {
            byte[] one = new byte[1];
            while (await modest.Near.ReceiveAsync(one) == 1)
            {
                // The reactor is handling this socket. Record the number of long turns so far, and whether this socket is classified as a socket with long
                // turns.
                seen = Volatile.Read(ref longTurns);
                tookLong = modest.Near.TakesLong;
                await modest.Near.SendAsync(one);
            }
        }

        List<int> waited = [];
        byte[] answer = new byte[1];
        while (waited.Count < 50)
        {
            await modest.Far.SendAsync(answer);
            int sent = Volatile.Read(ref longTurns);
            Assert.Equal(1, await modest.Far.ReceiveAsync(answer));
            // If the machine suspended the thread during this socket's last turn, the turn counts as long, and the socket may wait for several long turns.
            if (!tookLong)
            {
                waited.Add(seen - sent);
            }
        }

        Volatile.Write(ref over, true);
        modest.Far.Shutdown(SocketShutdown.Send);
        await Task.WhenAll(greedy.Append(echo));
        pairs.ForEach(pair => pair.Dispose());
        waited.Sort();
        // The test checks the median, because the kernel may deliver a single message late.
        Assert.InRange(waited[waited.Count / 2], 0, 1);
    }
}
