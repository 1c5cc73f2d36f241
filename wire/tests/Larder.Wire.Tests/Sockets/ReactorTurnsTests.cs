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
        int longTurns = 0;
        bool over = false;
        List<SocketPair> pairs = [];
        List<Task> greedy = [];
        byte[] much = new byte[100_000];
        for (int index = 0; index < Greedy; index++)
        {
            SocketPair pair = await SocketPair.ConnectAsync();
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

        SocketPair modest = await SocketPair.ConnectAsync();
        pairs.Add(modest);
        int seen = 0;
        Task echo = EchoAsync();
        async Task EchoAsync()
        {
            byte[] one = new byte[1];
            while (await modest.Near.ReceiveAsync(one) == 1)
            {
                // Where the reactor is when it comes to this socket.
                Volatile.Write(ref seen, Volatile.Read(ref longTurns));
                await modest.Near.SendAsync(one);
            }
        }

        List<int> waited = [];
        byte[] answer = new byte[1];
        for (int call = 0; call < 100; call++)
        {
            int before = Volatile.Read(ref longTurns);
            await modest.Far.SendAsync(answer);
            Assert.Equal(1, await modest.Far.ReceiveAsync(answer));
            waited.Add(Volatile.Read(ref seen) - before);
        }

        Volatile.Write(ref over, true);
        modest.Far.Shutdown(SocketShutdown.Send);
        await Task.WhenAll(greedy.Append(echo));
        pairs.ForEach(pair => pair.Dispose());
        waited.Sort();
        // The other reactor goes on meanwhile, and the sender may lose its processor for a while; all of them are what it was.
        Assert.InRange(waited[waited.Count / 2], 0, Greedy / 2);
    }
}
