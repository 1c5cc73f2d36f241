using System.Diagnostics;
using System.Net.Sockets;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

/// <summary>S9: a socket that asks for little waits for one long turn of others, not for as many as there are.</summary>
public sealed class ReactorTurnsTests
{
    private const int Greedy = 60;

    [PatientFact]
    public async Task Between_two_short_turns_there_is_one_long_one()
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

        // Until each has had its first turn the reactor does not know that they are long.
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
                // Where the reactor is when it comes to this socket, and what it took the socket for.
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
            // Where the machine took the thread away amid this socket's last turn, that was a long one, and the rule is not for it.
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
        // The median: the kernel may bring one later than it was sent.
        Assert.InRange(waited[waited.Count / 2], 0, 1);
    }
}
