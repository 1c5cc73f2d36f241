using System.Collections.Concurrent;
using Xunit.Abstractions;

namespace Larder.FileStore.Tests;

/// <summary>Tests F1: a real process is killed at each of the system calls of an operation.</summary>
public sealed class SystemCallKillTests(ITestOutputHelper output)
{
    private const int AtOnce = 3;
    private const int Recordings = 3;

    [StraceFact]
    public void Process_killed_during_set_leaves_complete_value() => KillAtEach(Set);

    [StraceFact]
    public void Process_killed_during_flushed_set_leaves_complete_value() => KillAtEach(FlushedSet);

    [StraceFact]
    public void Process_killed_during_polled_set_leaves_complete_value() => KillAtEach(PolledSet);

    [StraceFact]
    public void Process_killed_during_compaction_loses_nothing() => KillAtEach(Compaction);

    private static readonly Victim Set = new("set key new", [], ["old", "new"], ["flock", "pwrite64"]);
    private static readonly Victim FlushedSet = new("set key new", ["durability=EveryWrite"], ["old", "new"], ["flock", "pwrite64", "fsync"]);
    private static readonly Victim PolledSet = new("set key new", ["coherence=Polled", "poll=0"], ["old", "new"], ["openat", "pwrite64", "fsync", "unlink"]);
    private static readonly Victim Compaction = new("compact", ["durability=OnCompaction"], ["old"], ["openat", "pwrite64", "fsync", "flock", "rename"]);

    /// <summary>
    /// Records the system calls of the operation. Then runs the operation again for each of these calls, and kills the process at that call. Each kill uses a
    /// separate folder, because the files that one kill leaves would change the system calls of the next run. Only the operation's thread is traced, after a
    /// warm-up, so that the recorded calls belong to the operation and not to the JIT compiler. The shortest of several recordings is used, because on a busy
    /// machine the operation may have to repeat a check.
    /// </summary>
    private void KillAtEach(Victim victim)
    {
        string[] calls = Enumerable.Range(0, Recordings).Select(_ => Watch(victim)).MinBy(recorded => recorded.Length)!;
        Assert.Superset(victim.MustBeHit.ToHashSet(), calls.ToHashSet());
        ConcurrentBag<int> missed = [];
        Parallel.For(0, calls.Length, new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, at =>
        {
            if (!KillAt(calls[at], calls.Take(at + 1).Count(c => c == calls[at]), victim))
            {
                missed.Add(at);
            }
        });
        output.WriteLine($"{victim.Command}: killed at {calls.Length - missed.Count} of {calls.Length} calls: {string.Join(' ', calls)}");
        // The runtime's own calls (waking a thread, allocating memory) differ between runs. The calls of the operation are always the same.
        Assert.All(missed, at => Assert.Contains(calls[at], (string[])["futex", "madvise", "mmap", "mprotect", "munmap", "sched_yield"]));
    }

    /// <summary>Returns the names of the system calls from the read of the command to the write of its reply, inclusive.</summary>
    private static string[] Watch(Victim victim)
    {
        using ScratchFolder folder = new();
        using Peer peer = victim.Start(folder);
        string log = Path.Combine(folder.Path, "strace.log");
        using (Strace.Watch(peer, log))
        {
            Assert.Equal("done", peer.Do(victim.Command));
        }
        string[] lines = File.ReadAllLines(log);
        int told = Array.FindIndex(lines, line => line.Contains(victim.Command, StringComparison.Ordinal));
        int answered = Array.FindIndex(lines, line => line.StartsWith("write(", StringComparison.Ordinal) && line.Contains("done", StringComparison.Ordinal));
        return [.. lines[(told + 1)..(answered + 1)].Select(line => line.Split('(')[0])];
    }

    /// <summary>Kills the process at the given occurrence of the call. Returns false if the operation completed before that occurrence.</summary>
    private static bool KillAt(string call, int occurrence, Victim victim)
    {
        using ScratchFolder folder = new();
        using DistributedFileStoreCacheString survivor = folder.Open(victim.Configure);
        survivor.SetMany([.. Enumerable.Range(0, 100).Select(i => new KeyValuePair<string, string>("other" + i, "kept"))]);
        survivor.Set("key", "old");
        string? answer;
        using (Peer peer = victim.Start(folder))
        {
            using Strace strace = Strace.Attach(peer, $"{call}:signal=KILL:when={occurrence}", Path.Combine(folder.Path, "strace.log"));
            answer = Act(peer, victim.Command);
        }
        Assert.Contains(answer, (string?[])[null, "done"]);
        using DistributedFileStoreCacheString fresh = folder.Open(victim.Configure);
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[survivor, fresh])
        {
            Assert.Contains(cache.Get("key"), answer is null ? victim.Allowed : victim.Allowed[^1..]);
            Assert.Equal(100, cache.GetByPrefix("other").Values.Count(v => v == "kept"));
            Assert.Equal(0, cache.Status.DamagedLines);
        }
        Assert.Equal(survivor.Get("key"), fresh.Get("key"));
        survivor.Set("after", "1");
        Assert.Equal("1", fresh.Get("after"));
        fresh.Set("after", "2");
        Assert.Equal("2", survivor.Get("after"));
        return answer is null;
    }

    private static string? Act(Peer peer, string command)
    {
        try
        {
            peer.Send(command);
            return peer.ReadLine();
        }
        catch (IOException)
        {
            return null;
        }
    }

    /// <param name="Command">The command sent to the process.</param>
    /// <param name="Options">The options of the process.</param>
    /// <param name="Allowed">The permitted values of the key afterwards. If the operation completed, only the last of them is permitted.</param>
    /// <param name="MustBeHit">The system calls that the recording must contain.</param>
    private sealed record Victim(string Command, string[] Options, string[] Allowed, string[] MustBeHit)
    {
        internal Peer Start(ScratchFolder folder)
        {
            Peer peer = Peer.Start(folder, Options);
            Assert.Equal("done", peer.Do("fill warm 40"));
            Assert.Equal("done", peer.Do("compact"));
            Assert.Equal("done", peer.Do("compact"));
            return peer;
        }

        internal void Configure(DistributedFileStoreCacheOptions options)
        {
            if (Options.Contains("coherence=Polled"))
            {
                options.Coherence = FileStoreCoherence.Polled;
                options.PollInterval = TimeSpan.Zero;
            }
        }
    }
}
