using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness.Proxies;
using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>The randomized run: processes in several languages write and read numbered values through near caches while faults are applied.</summary>
internal sealed class NearRun(NearRunOptions options, INearServers servers, Action<string> say)
{
    // The time after which a write with an unknown result can no longer be applied. A write that was pending while its server was stopped may be applied when
    // the server resumes, so the time is longer than any pause of a server in a run.
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(40);

    // The margin after the end of a lease. Copies must not be served after this margin. It is needed because the statistics arrive some time after they were
    // requested. The same time is also the maximum wait for the counts in a progress message.
    private static readonly TimeSpan s_margin = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_saying = TimeSpan.FromSeconds(10);

    private readonly List<NearProcess> _processes = [];
    private readonly List<NearCut> _cuts = [];
    private readonly NearHistory _history = new();
    private readonly Random _random = new(options.Seed);
    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"larder-near-{Guid.NewGuid():N}");
    private volatile bool _mayReset = true;

    private IEnumerable<NearProcess> Readers => _processes.Where(static process => !process.Writes);

    /// <summary>Runs the processes, applies all faults, and returns the result.</summary>
    public async Task<NearRunResult> RunAsync()
    {
        Directory.CreateDirectory(_folder);
        try
        {
            await StartAsync().ConfigureAwait(false);
            Task<JsonObject>[] running = [.. _processes.Select(process => process.AskAsync(Request(process)))];
            await NearProcess.GoAsync(_processes).ConfigureAwait(false);
            long begun = Stopwatch.GetTimestamp();
            using CancellationTokenSource over = new();
            Task resets = ResetAsync(over.Token);
            Task saying = SayAsync(begun, over.Token);
            foreach (NearFault fault in options.Faults)
            {
                await DelayUntilAsync(begun, fault.At).ConfigureAwait(false);
                string length = fault.Length > TimeSpan.Zero ? Say($" for {fault.Length.TotalSeconds:N0} s") : "";
                say(Say($"{Stopwatch.GetElapsedTime(begun).TotalSeconds:N0} s: {fault.Kind}{length}"));
                await ActAsync(fault).ConfigureAwait(false);
            }

            await DelayUntilAsync(begun, options.Time - (options.After / 2)).ConfigureAwait(false);
            NearFigures[] late = await FiguresAsync(_processes).ConfigureAwait(false);
            JsonObject[] answers = await Task.WhenAll(running).ConfigureAwait(false);
            await over.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(resets, saying).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            NearFigures[] last = await FiguresAsync(_processes).ConfigureAwait(false);
            return Result([.. answers.Select(NearAnswer.From)], late, last);
        }
        finally
        {
            foreach (NearProcess process in _processes)
            {
                process.Resume();
                await process.DisposeAsync().ConfigureAwait(false);
            }

            Directory.Delete(_folder, recursive: true);
        }
    }

    // Writing processes do not retry. A write that is sent twice has no defined order, so an old value could reappear although no copy was stale.
    private async Task StartAsync()
    {
        for (int index = 0; index < options.Languages.Count; index++)
        {
            string language = options.Languages[index];
            _processes.Add(await NearProcess.StartAsync(language, index, servers.EndpointsOf(writes: true), Open(0, 64 << 20)).ConfigureAwait(false));
            _processes.Add(await NearProcess.StartAsync(language, -1, servers.EndpointsOf(writes: false), Open(3, options.ReaderBytes)).ConfigureAwait(false));
        }
    }

    private JsonObject Open(int retries, long bytes) => new()
    {
        ["configuration"] = "inRegion.default",
        ["transport"] = "pipeline",
        ["requestTimeoutMs"] = options.Deadline.TotalMilliseconds,
        ["maxRetries"] = retries,
        ["nearCacheBytes"] = bytes,
    };

    private JsonObject Request(NearProcess process) => new()
    {
        ["op"] = "near",
        ["keys"] = options.Keys,
        ["index"] = process.Index,
        ["writers"] = options.Languages.Count,
        ["callers"] = options.Callers,
        ["peekers"] = options.Peekers,
        ["writeShare"] = options.WriteShare,
        ["zipf"] = options.Zipf,
        ["shortEvery"] = options.Rules.ShortEvery,
        ["shortTtlMs"] = options.Rules.ShortMs,
        ["seconds"] = options.Time.TotalSeconds,
        ["pauseMs"] = 1,
        ["settleMs"] = s_settle.TotalMilliseconds,
        ["seed"] = options.Seed + _processes.IndexOf(process),
        ["hold"] = true,
        ["records"] = RecordsOf(process),
    };

    private string RecordsOf(NearProcess process) => Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{_processes.IndexOf(process)}.csv"));

    private async Task ActAsync(NearFault fault)
    {
        switch (fault.Kind)
        {
            case NearFaultKind.CutReaders:
                await CutAsync(fault.Length).ConfigureAwait(false);
                break;
            case NearFaultKind.StopReaders:
                await ForAsync(fault.Length, () => Each(Readers, static reader => reader.Pause()), () => Each(Readers, static reader => reader.Resume()))
                    .ConfigureAwait(false);
                break;
            case NearFaultKind.StopServer:
                await ForAsync(fault.Length, () => servers.Pause(fault.Server), () => servers.Resume(fault.Server)).ConfigureAwait(false);
                break;
            case NearFaultKind.Sweep:
                JsonObject[] swept = await Task.WhenAll(_processes.Where(static process => process.Writes).Select(static process => process.ActAsync("sweep")))
                    .ConfigureAwait(false);
                say(Say($"  {swept.Sum(static answer => (long)answer["written"]!):N0} keys written"));
                break;
            case NearFaultKind.Restart:
                await LoseAsync(servers.Forgets).ConfigureAwait(false);
                await servers.RestartAsync(fault.Server).ConfigureAwait(false);
                break;
            case NearFaultKind.Flush:
                await LoseAsync(true).ConfigureAwait(false);
                await FlushAsync().ConfigureAwait(false);
                break;
        }
    }

    // From the end of the lease to the end of the cut, no copy may be served. The number of hits must therefore not change.
    private async Task CutAsync(TimeSpan length)
    {
        _mayReset = false;
        NearProcess[] readers = [.. Readers];
        long begun = Stopwatch.GetTimestamp();
        NearFigures[] before = await FiguresAsync(readers).ConfigureAwait(false);
        Each(readers, static reader => reader.Cut());
        await DelayUntilAsync(begun, TimeSpan.FromMilliseconds(options.Rules.LeaseMs) + s_margin).ConfigureAwait(false);
        NearFigures[] leaseOver = await FiguresAsync(readers).ConfigureAwait(false);
        await DelayUntilAsync(begun, length).ConfigureAwait(false);
        NearFigures[] after = await FiguresAsync(readers).ConfigureAwait(false);
        Each(readers, static reader => reader.Reconnect());
        _mayReset = true;
        _cuts.AddRange(readers.Select((reader, i) => new NearCut(reader.Name, leaseOver[i].Hits - before[i].Hits, after[i].Hits - leaseOver[i].Hits)));
    }

    private async Task FlushAsync()
    {
        JsonObject flushed = await _processes[0].ActAsync("flush").ConfigureAwait(false);
        _history.AddFlush(Number(flushed["beganNs"]!), Number(flushed["endedNs"]!));
    }

    // Notifies the processes that stored items may be lost from now on, so that they allow misses.
    private Task LoseAsync(bool goes) => goes ? Task.WhenAll(_processes.Select(static process => process.ActAsync("lost"))) : Task.CompletedTask;

    private async Task ResetAsync(CancellationToken over)
    {
        while (!over.IsCancellationRequested)
        {
            await Task.Delay(options.BetweenResets * (_random.NextDouble() * 2), over).ConfigureAwait(false);
            FaultProxy[] ways = [.. _processes.SelectMany(static process => process.Ways)];
            if (_mayReset)
            {
                ways[_random.Next(ways.Length)].ResetOne(_random);
            }
        }
    }

    private async Task SayAsync(long begun, CancellationToken over)
    {
        while (!over.IsCancellationRequested)
        {
            await Task.Delay(s_saying, over).ConfigureAwait(false);
            // A stopped process does not respond.
            Task<JsonObject>[] asked = [.. _processes.Select(static process => process.ActAsync("now"))];
            await Task.WhenAny(Task.WhenAll(asked), Task.Delay(s_margin, over)).ConfigureAwait(false);
            JsonObject[] told = [.. asked.Where(static answer => answer.IsCompletedSuccessfully).Select(static answer => answer.Result)];
            long Sum(string field) => told.Sum(answer => (long)answer[field]!);
            say(Say($"{Stopwatch.GetElapsedTime(begun).TotalSeconds:N0} s: {Sum("reads"):N0} reads, {Sum("hits"):N0} near-cache hits, ")
                + Say($"{Sum("writes"):N0} writes, {Sum("violations"):N0} violations"));
        }
    }

    private NearRunResult Result(NearAnswer[] answers, NearFigures[] late, NearFigures[] last)
    {
        for (int process = 0; process < _processes.Count; process++)
        {
            _history.Add(process, File.ReadLines(RecordsOf(_processes[process])));
        }

        return new NearRunResult
        {
            Servers = servers.Name,
            Options = options,
            Rows = [.. _processes.Select((process, i) => new NearRunRow(process.Name, answers[i], last[i], last[i].Hits > late[i].Hits))],
            Cuts = _cuts,
            Resets = _processes.Sum(static process => process.Ways.Sum(static way => way.Resets)),
            Findings = _history.Judge(options.Rules),
        };
    }

    private static async Task ForAsync(TimeSpan length, Action begin, Action end)
    {
        begin();
        try
        {
            await Task.Delay(length).ConfigureAwait(false);
        }
        finally
        {
            end();
        }
    }

    private static Task<NearFigures[]> FiguresAsync(IEnumerable<NearProcess> processes) =>
        Task.WhenAll(processes.Select(static process => process.FiguresAsync()));

    private static void Each(IEnumerable<NearProcess> processes, Action<NearProcess> act)
    {
        foreach (NearProcess process in processes)
        {
            act(process);
        }
    }

    private static Task DelayUntilAsync(long begun, TimeSpan at)
    {
        TimeSpan left = at - Stopwatch.GetElapsedTime(begun);
        return left > TimeSpan.Zero ? Task.Delay(left) : Task.CompletedTask;
    }

    private static long Number(JsonNode node) => long.Parse((string)node!, NumberStyles.None, CultureInfo.InvariantCulture);
}
