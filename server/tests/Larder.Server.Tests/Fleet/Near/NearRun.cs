using System.Globalization;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>
/// Writers of numbered values at every gateway and a reader of copies at each, until it is ended: whenever a lease was renewed, no copy is older than what had
/// been written, and answered, before the renewal was asked for.
/// </summary>
internal sealed class NearRun : IAsyncDisposable
{
    private const int Writers = 3;
    private const int KeysOfWriter = 40;

    private readonly RunningServer[] _gateways;
    private readonly CancellationTokenSource _over = new();
    private readonly long[] _written = new long[Writers * KeysOfWriter];
    private readonly Task[] _tasks;
    private int _rounds;
    private int _kept;
    private int _dropped;

    public NearRun(params RunningServer[] gateways)
    {
        _gateways = gateways;
        _tasks = [.. Enumerable.Range(0, Writers).Select(WriteAsync), .. gateways.Select(ReadAsync)];
    }

    /// <summary>Renewals that were checked.</summary>
    public int Rounds => Volatile.Read(ref _rounds);

    /// <summary>Copies that were kept, and that were dropped by a ticket.</summary>
    public (int Kept, int Dropped) Copies => (Volatile.Read(ref _kept), Volatile.Read(ref _dropped));

    /// <summary>Waits until so many more renewals were checked.</summary>
    public Task GoAsync(int rounds)
    {
        int until = Rounds + rounds;
        return UntilAsync(() => Rounds >= until);
    }

    /// <summary>Waits until a key was written, and its name.</summary>
    public async Task<string> WrittenAsync(int number)
    {
        await UntilAsync(() => Volatile.Read(ref _written[number]) != 0);
        return Key(number);
    }

    private async Task UntilAsync(Func<bool> isSo)
    {
        while (!isSo())
        {
            // A reader that has found something ends it.
            if (_tasks.FirstOrDefault(static task => task.IsCompleted) is { } failed)
            {
                await failed;
            }

            await Task.Delay(5);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _over.CancelAsync();
        await Task.WhenAll(_tasks);
        _over.Dispose();
    }

    private static string Key(int number) => string.Create(CultureInfo.InvariantCulture, $"k{number}");

    private async Task WriteAsync(int writer)
    {
        await Task.Yield();
        Random random = new(writer);
        for (long number = 1; !_over.IsCancellationRequested; number++)
        {
            int key = (writer * KeysOfWriter) + random.Next(KeysOfWriter);
            try
            {
                await _gateways[random.Next(_gateways.Length)].SetAsync(Key(key), number.ToString(CultureInfo.InvariantCulture));
                Volatile.Write(ref _written[key], number);
            }
            catch (RpcException error) when (error.Status.Code is StatusCode.Unavailable or StatusCode.DeadlineExceeded)
            {
                // It may have been written or not; its number is no other's.
            }
        }
    }

    private async Task ReadAsync(RunningServer gateway)
    {
        await Task.Yield();
        await using NearReader reader = await NearReader.OpenAsync(gateway);
        Random random = new(_gateways.Length);
        while (!_over.IsCancellationRequested)
        {
            for (int gets = 0; gets < 20; gets++)
            {
                await reader.GetAsync(Enumerable.Range(0, 10).Select(_ => Key(random.Next(_written.Length))));
            }

            long[] written = [.. _written];
            await reader.RenewAsync();
            foreach ((string key, long number) in reader.Copies)
            {
                long least = written[int.Parse(key.AsSpan(1), CultureInfo.InvariantCulture)];
                Assert.True(number >= least, $"a copy of {key} is {number} where {least} had been written");
            }

            Interlocked.Increment(ref _rounds);
            Volatile.Write(ref _kept, reader.Kept);
            Volatile.Write(ref _dropped, reader.Dropped);
        }
    }
}
