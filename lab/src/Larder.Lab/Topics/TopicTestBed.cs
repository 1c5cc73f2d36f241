using Larder.Report.Runs;

namespace Larder.Lab.Topics;

/// <summary>All contenders with one number of subscribers. They run from the first turn to the last.</summary>
internal sealed class TopicTestBed : IAsyncDisposable
{
    private readonly TopicBenchOptions _options;
    private readonly int _subscribers;
    private readonly List<TopicContender> _contenders = [];

    private TopicTestBed(TopicBenchOptions options, int subscribers) => (_options, _subscribers) = (options, subscribers);

    /// <summary>Gets the contender with Larder, which is the first one.</summary>
    public TopicContender Ours => _contenders[0];

    /// <summary>Starts the servers and subscribers.</summary>
    public static async Task<TopicTestBed> StartAsync(TopicBenchOptions options, int subscribers)
    {
        TopicTestBed stand = new(options, subscribers);
        try
        {
            foreach (string peer in options.Peers)
            {
                stand._contenders.Add(await TopicContender.StartAsync(peer, options, subscribers).ConfigureAwait(false));
            }

            return stand;
        }
        catch
        {
            await stand.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Measures the closed loop of each contender alternately, and then the open loop of all contenders at the same rate, alternately.</summary>
    public async Task<IReadOnlyList<TopicRow>> RunAsync(Action<string> say)
    {
        List<TopicRound>[] pumped = await TurnsAsync(static (contender, options) => contender.PumpAsync(options), "highest", say).ConfigureAwait(false);
        IEnumerable<double> highest = pumped.Select(static rounds => Median.Of(rounds.Select(static round => round.DeliveriesPerSecond)));
        double rate = TopicRow.RateFor(highest, _subscribers, _options.Fraction);
        List<TopicRound>[] paced = await TurnsAsync((contender, options) => contender.PaceAsync(options, rate), $"{rate:N0} messages/s", say)
            .ConfigureAwait(false);
        return [.. _contenders.Select((contender, i) => new TopicRow(contender.Name, _subscribers, pumped[i], rate, paced[i]))];
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (TopicContender contender in _contenders)
        {
            await contender.DisposeAsync().ConfigureAwait(false);
        }
    }

    // The order is reversed each time, because the state of the machine differs between the first and the last measurement.
    private async Task<List<TopicRound>[]> TurnsAsync(Func<TopicContender, TopicBenchOptions, Task<TopicRound>> turn, string what, Action<string> say)
    {
        List<TopicRound>[] rounds = [.. _contenders.Select(static _ => new List<TopicRound>())];
        int[] order = [.. Enumerable.Range(0, _contenders.Count)];
        for (int round = 0; round < _options.Rounds; round++)
        {
            foreach (int which in round % 2 == 0 ? order : order.Reverse())
            {
                TopicRound measured = await turn(_contenders[which], _options).ConfigureAwait(false);
                rounds[which].Add(measured);
                say($"{_subscribers:N0} subscribers, {what}, round {round + 1} of {_options.Rounds}, {_contenders[which].Name}: "
                    + $"{measured.DeliveriesPerSecond:N0} deliveries/s, p99.9 {measured.P999Us / 1_000:0.00} ms");
            }
        }

        return rounds;
    }
}
