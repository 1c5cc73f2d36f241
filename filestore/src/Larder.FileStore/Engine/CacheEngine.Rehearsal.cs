namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>What takes every write and keeps nothing.</summary>
    private const string Nowhere = "/dev/null";
    private static int s_rehearsed;

    /// <summary>
    /// Before the first write of a process: a write to nowhere, so that what a writer does under the lock is compiled before it has the lock. Compiling takes
    /// some 10 ms of a processor; where 64 processes start at once on two of them the others waited for each for ten times that.
    /// </summary>
    private static void RehearseOnce()
    {
        if (s_rehearsed != 0 || Interlocked.Exchange(ref s_rehearsed, 1) != 0 || OperatingSystem.IsWindows())
        {
            return;
        }
        using Stage stage = new();
        CacheEngine engine = new(new FileStoreSettings { Path = Nowhere }, stage) { _committed = stage.CommittedWord };
        using (engine._log = OpenFile.Try(Nowhere))
        {
            if (engine._log is null)
            {
                return;
            }
            engine._logFacts = FileFacts.OfOpen(engine._log);
            SetMutation mutation = new("key", "value", default);
            RecordBuffer buffer = new();
            mutation.Encode(buffer, engine._clock);
            engine.TryLockBriefly();
            engine.ReadOn(0);
            if (RecordReader.TryOpen(buffer.Written[..^1], out RecordReader record))
            {
                engine._applier.Accept(ref record, 0);
            }
            engine.Agrees();
            engine.Commit(ref mutation, buffer);
            engine._coordinator.Unlock();
        }
    }

    /// <summary>Nobody else is there.</summary>
    private sealed class Stage() : Onlooker("", isCoherent: false)
    {
        internal override bool IsPolled => false;

        internal override bool StillHeld => true;

        internal override bool TryLock() => true;
    }
}
