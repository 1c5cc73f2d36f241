using System.Diagnostics.CodeAnalysis;
using Larder.Wire.Sockets;

namespace Larder.Wire.Tests.Sockets;

public sealed class ReactorRoundsTests
{
    [PatientFact]
    public async Task What_the_turns_of_two_sockets_put_off_runs_once_after_both_on_their_thread()
    {
        var reactor = Reactor.At(0);
        using SocketPair first = await SocketPair.ConnectAsync(reactor);
        using SocketPair second = await SocketPair.ConnectAsync(reactor);
        using SocketPair holding = await SocketPair.ConnectAsync(reactor);
        List<string> said = [];
        TaskCompletionSource<Thread> over = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Thread? thread = null;
        Action after = () =>
        {
            said.Add("after");
            over.TrySetResult(Thread.CurrentThread);
        };
        void Turn()
        {
            thread = Thread.CurrentThread;
            said.Add("turn");
            ReactorThread.Current!.AfterRound(after);
            ReactorThread.Current!.AfterRound(after);
        }

        using ManualResetEventSlim bothHaveArrived = new();
        OnReceived(first, Turn);
        OnReceived(second, Turn);
        OnReceived(holding, bothHaveArrived.Wait);
        await holding.Far.SendAsync(new byte[1]);
        await first.Far.SendAsync(new byte[1]);
        await second.Far.SendAsync(new byte[1]);
        bothHaveArrived.Set();
        Assert.Same(await over.Task.WaitAsync(TestCalls.Patience), thread);
        Assert.Equal(["turn", "turn", "after"], said);
    }

    [PatientFact]
    public async Task A_socket_is_on_the_reactor_that_was_named()
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

    // On the reactor's thread, since it is asked for before anything is sent.
    [SuppressMessage("Reliability", "CA2012", Justification = "That it ends is all that is asked for.")]
    private static void OnReceived(SocketPair pair, Action then) =>
        pair.Near.ReceiveAsync(new byte[1]).ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(then);
}
