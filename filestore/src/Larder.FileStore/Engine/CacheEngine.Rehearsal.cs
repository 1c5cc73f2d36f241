namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>The path of a file that accepts every write and stores nothing.</summary>
    private const string Nowhere = "/dev/null";
    private static int s_rehearsed;

    /// <summary>
    /// Runs one write to /dev/null before the first write of a process, so that the code that runs under the lock is already JIT-compiled. Compiling takes
    /// about 10 ms of CPU time. When 64 processes started at the same time on two processors, a compilation under the lock made the other processes wait about
    /// ten times as long.
    /// </summary>
    private static void WarmUpOnce()
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

    /// <summary>A coordinator that is not shared with other processes.</summary>
    private sealed class Stage() : ReadOnlyCoordinator("", isCoherent: false)
    {
        internal override bool IsPolled => false;

        internal override bool StillHeld => true;

        internal override bool TryLock() => true;
    }
}
