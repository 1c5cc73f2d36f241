using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

public sealed class ReactorRoundsTests
{
    [TimedFact]
    public async Task Deferred_work_runs_once_after_all_socket_turns()
    {
        // The system does not always report the events of both sockets together, so the test repeats the round.
        string[] wholes = await Task.WhenAll(Enumerable.Range(0, 20).Select(static _ => RoundAsync()));
        Assert.Contains("turn, turn, after", wholes);
        Assert.All(wholes, static whole => Assert.Contains(whole, (string[])["turn, turn, after", "turn, after, turn, after"]));
    }

    [TimedFact]
    public async Task Socket_runs_on_chosen_reactor()
    {
        for (int index = 0; index < Reactor.Count; index++)
        {
            using SocketPair pair = await SocketPair.ConnectAsync(Reactor.At(index));
            TaskCompletionSource<int> told = new(TaskCreationOptions.RunContinuationsAsynchronously);
            OnReceived(pair, () => told.SetResult(ReactorThread.Current!.Reactor.Index));
            await pair.Far.SendAsync(new byte[1]);
            Assert.Equal(index, await told.Task.WaitAsync(TestCalls.Patience));
        }
    }

    private static async Task<string> RoundAsync()
    {
        var reactor = Reactor.At(0);
        using SocketPair first = await SocketPair.ConnectAsync(reactor);
        using SocketPair second = await SocketPair.ConnectAsync(reactor);
        using SocketPair sending = await SocketPair.ConnectAsync(reactor);
        List<string> said = [];
        TaskCompletionSource over = new(TaskCreationOptions.RunContinuationsAsynchronously);
        List<Thread> threads = [];
        Action after = () => Say("after");
        void Say(string what)
        {
            lock (said)
            {
                said.Add(what);
                threads.Add(Thread.CurrentThread);
                if (what == "after" && said.Count(static one => one == "turn") == 2)
                {
                    over.TrySetResult();
                }
            }
        }

        void Turn()
        {
            Say("turn");
            ReactorThread.Current!.AfterRound(after);
            ReactorThread.Current!.AfterRound(after);
        }

        OnReceived(first, Turn);
        OnReceived(second, Turn);
        OnReceived(sending, () =>
        {
            first.Far.Send(new byte[1]);
            second.Far.Send(new byte[1]);
        });
        await sending.Far.SendAsync(new byte[1]);
        await over.Task.WaitAsync(TestCalls.Patience);
        lock (said)
        {
            Assert.Same(threads[^2], threads[^1]);
            return string.Join(", ", said);
        }
    }

    // The continuation runs on the reactor's thread, because the receive is started before anything is sent.
    [SuppressMessage("Reliability", "CA2012", Justification = "That it ends is all that is asked for.")]
    private static void OnReceived(SocketPair pair, Action then) =>
        pair.Near.ReceiveAsync(new byte[1]).ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(then);
}
