using System.Security.Cryptography;
using System.Text;
using Larder.Tuner.Bench;
using Larder.Tuner.Processes;

namespace Larder.Lab.Tokens;

/// <summary>
/// Two servers with one client each, which run from the first turn to the last. Only the second server has a token file. If
/// <see cref="TokenCostOptions.AreAlike"/> is true, neither has one.
/// </summary>
internal sealed class TokenCostTestBed : IAsyncDisposable
{
    private readonly TokenCostOptions _options;
    private readonly string? _file;
    private readonly string? _token;
    private readonly List<IAsyncDisposable> _running = [];
    private readonly List<Contender> _contenders = [];
    private int _seed;

    private TokenCostTestBed(TokenCostOptions options)
    {
        _options = options;
        if (!options.AreAlike)
        {
            _token = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(32));
            _file = Path.Combine(Path.GetTempPath(), $"larder-tokens-{Guid.NewGuid():N}.json");
        }
    }

    /// <summary>Starts the servers and the agents of the clients for a transport.</summary>
    public static async Task<TokenCostTestBed> StartAsync(TokenCostOptions options, string transport)
    {
        TokenCostTestBed stand = new(options);
        try
        {
            await stand.AddAsync(transport).ConfigureAwait(false);
            await stand.AddAsync(transport, stand.Tokens()).ConfigureAwait(false);
            return stand;
        }
        catch
        {
            await stand.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Measures the servers alternately. The order is reversed each time, because the state of the machine differs between the first and the last measurement.
    /// </summary>
    public async Task<TokenCostRow> RunAsync(string transport, Rung rung, Action<string> say)
    {
        BenchOptions bench = new() { Rungs = [rung], Seconds = _options.Seconds, WarmupSeconds = _options.WarmupSeconds };
        List<Round>[] rounds = [[], []];
        for (int turn = 0; turn < _options.Rounds; turn++)
        {
            foreach (int which in turn % 2 == 0 ? (int[])[0, 1] : [1, 0])
            {
                BenchOptions open = bench with { Token = which == 0 ? null : _token };
                Round round = await _contenders[which]
                    .RunAsync(open.OpenRequest(transport, rung), bench.LoadRequest(rung, ++_seed, preload: turn == 0), static _ => { })
                    .ConfigureAwait(false);
                if (round.Errors.Count > 0)
                {
                    throw new TunerException($"calls failed: {string.Join(", ", round.Errors.Select(static pair => $"{pair.Value} {pair.Key}"))}");
                }

                rounds[which].Add(round);
                say($"{transport}, {rung} callers, round {turn + 1} of {_options.Rounds}, server {which + 1}: {round.RequestsPerSecond:N0} requests/s");
            }
        }

        return new TokenCostRow(transport, rung, rounds[0], rounds[1]);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (IAsyncDisposable each in Enumerable.Reverse(_running))
        {
            await each.DisposeAsync().ConfigureAwait(false);
        }

        if (_file is not null)
        {
            File.Delete(_file);
        }
    }

    private async Task AddAsync(string transport, params string[] more)
    {
        Backend server = await Backend.LarderAsync(more).ConfigureAwait(false);
        _running.Add(server);
        Contender contender = await Contender.OfClientAsync("dotnet", transport, server).ConfigureAwait(false);
        _running.Add(contender);
        _contenders.Add(contender);
    }

    // The token has an expiration time, as every token should have.
    private string[] Tokens()
    {
        if (_file is null)
        {
            return [];
        }

        string digest = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(_token!)));
        FileStreamOptions own = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
        {
            own.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        using StreamWriter file = new(_file, own);
        file.Write(
            $$"""{"tokens":[{"id":"bench","sha256":["{{digest}}"],"expires":"2999-01-01T00:00:00Z","grants":[{"role":"readwrite","cache":"cache"}]}]}""");
        return ["--tokens", _file];
    }
}
