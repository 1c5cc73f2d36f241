namespace Larder.Store.Tests;

/// <summary>
/// A model checker for the protocol of <see cref="Epochs"/> on a machine with total store order. A store operation waits in the store buffer of its thread. It
/// is visible only to this thread until the buffer drains. Loads do not wait for it. One writer unlinks and frees memory, one reader looks up the memory, and
/// other threads advance the epoch.
/// </summary>
internal sealed class EpochModel(bool fence, int advancers)
{
    private enum At
    {
        Unlinked,
        Now,
        ReaderIn,
        Safe,
        Freed,
    }

    private enum Step
    {
        // The steps of the writer: Shard.MarkDead, Epochs.Unlinked, SegmentHeap.Reclaim.
        Unlink,
        Fence,
        ReadTag,
        FreeWhenSafe,

        // The steps of Epochs.Advance.
        Increment,
        BarrierOnAll,
        Scan,

        // The steps of the reader: ReaderSlot.Enter, a lookup, ReaderSlot.Exit.
        ReadNow,
        Enter,
        LookUp,
        Use,
        Exit,
    }

    private readonly Step[][] _threads =
    [
        fence ? [Step.Unlink, Step.Fence, Step.ReadTag, Step.FreeWhenSafe] : [Step.Unlink, Step.ReadTag, Step.FreeWhenSafe],
        [Step.ReadNow, Step.Enter, Step.LookUp, Step.Use, Step.Exit],
        .. Enumerable.Repeat<Step[]>([Step.Increment, Step.BarrierOnAll, Step.Scan], advancers),
    ];

    /// <summary>The number of states visited.</summary>
    public int States { get; private set; }

    /// <summary>Returns whether there is an order of steps in which the reader uses freed memory.</summary>
    public bool ReadsFreedMemory()
    {
        var first = new State(new int[5], [.. _threads.Select(_ => Array.Empty<(At, int)>())], new int[_threads.Length], new int[_threads.Length]);
        first.Memory[(int)At.Now] = 1;
        var seen = new HashSet<string> { first.ToString() };
        var open = new Stack<State>([first]);
        while (open.TryPop(out State? state))
        {
            States++;
            for (int thread = 0; thread < _threads.Length; thread++)
            {
                if (state.Drain(thread) is { } drained && seen.Add(drained.ToString()))
                {
                    open.Push(drained);
                }

                if (state.Position[thread] == _threads[thread].Length || Run(state, thread) is not { } next)
                {
                    continue;
                }

                if (next.Broken)
                {
                    return true;
                }

                if (seen.Add(next.ToString()))
                {
                    open.Push(next);
                }
            }
        }

        return false;
    }

    /// <summary>Returns the state after a thread's next step; null if the thread must wait.</summary>
    private State? Run(State before, int thread)
    {
        State state = before.Copy();
        Step step = _threads[thread][state.Position[thread]++];
        ref int register = ref state.Register[thread];
        switch (step)
        {
            case Step.Unlink:
                state.Store(thread, At.Unlinked, 1);
                break;
            case Step.Fence when state.Buffers[thread].Length > 0:
                return null;
            case Step.ReadTag or Step.ReadNow:
                register = state.Load(thread, At.Now);
                break;
            case Step.FreeWhenSafe when state.Load(thread, At.Safe) < register:
                return null;
            case Step.FreeWhenSafe:
                state.Store(thread, At.Freed, 1);
                break;
            case Step.Increment:
                register = ++state.Memory[(int)At.Now];
                break;
            case Step.BarrierOnAll:
                for (int other = 0; other < _threads.Length; other++)
                {
                    while (state.Drain(other) is { } drained)
                    {
                        state = drained;
                    }
                }

                break;
            case Step.Scan:
                int readerIn = state.Memory[(int)At.ReaderIn];
                int oldest = readerIn == 0 ? register : Math.Min(register, readerIn);
                state.Memory[(int)At.Safe] = Math.Max(state.Memory[(int)At.Safe], oldest - 1);
                break;
            case Step.Enter:
                state.Store(thread, At.ReaderIn, register);
                break;
            case Step.LookUp when state.Load(thread, At.Unlinked) == 1:
                state.Position[thread]++;
                break;
            case Step.Use:
                state.Broken = state.Load(thread, At.Freed) == 1;
                break;
            case Step.Exit:
                state.Store(thread, At.ReaderIn, 0);
                break;
        }

        return state;
    }

    private sealed class State(int[] memory, (At At, int Value)[][] buffers, int[] position, int[] register)
    {
        public int[] Memory { get; } = memory;

        public (At At, int Value)[][] Buffers { get; } = buffers;

        public int[] Position { get; } = position;

        public int[] Register { get; } = register;

        public bool Broken { get; set; }

        public State Copy() => new([.. Memory], [.. Buffers], [.. Position], [.. Register]);

        public int Load(int thread, At at)
        {
            int own = Array.FindLastIndex(Buffers[thread], store => store.At == at);
            return own < 0 ? Memory[(int)at] : Buffers[thread][own].Value;
        }

        public void Store(int thread, At at, int value) => Buffers[thread] = [.. Buffers[thread], (at, value)];

        /// <summary>Returns the state after the thread's oldest buffered store has reached memory; null if the thread's store buffer is empty.</summary>
        public State? Drain(int thread)
        {
            if (Buffers[thread].Length == 0)
            {
                return null;
            }

            State drained = Copy();
            drained.Memory[(int)Buffers[thread][0].At] = Buffers[thread][0].Value;
            drained.Buffers[thread] = Buffers[thread][1..];
            return drained;
        }

        public override string ToString() =>
            $"{string.Join(' ', Memory)}|{string.Join('|', Buffers.Select(buffer => string.Concat(buffer)))}|"
                + $"{string.Join(' ', Position)}|{string.Join(' ', Register)}";
    }
}
