using System.Globalization;
using Larder.Wire;

namespace Larder.Server.Tests.Fleet.Near;

/// <summary>
/// Runs several writers that write numbered values. Also runs one reader per gateway, which stores copies of the values. The writers and readers run until this
/// object is disposed. After each renewal, no copy may be older than a write that was acknowledged before the renewal was requested.
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

    /// <summary>The number of renewals checked.</summary>
    public int Rounds => Volatile.Read(ref _rounds);

    /// <summary>The number of copies kept, and the number of copies that a ticket has invalidated.</summary>
    public (int Kept, int Dropped) Copies => (Volatile.Read(ref _kept), Volatile.Read(ref _dropped));

    /// <summary>Waits until <paramref name="rounds"/> more renewals have been checked.</summary>
    public Task GoAsync(int rounds)
    {
        int until = Rounds + rounds;
        return UntilAsync(() => Rounds >= until);
    }

    /// <summary>Waits until a writer has written the key with this number. Returns the name of the key.</summary>
    public async Task<string> WrittenAsync(int number)
    {
        await UntilAsync(() => Volatile.Read(ref _written[number]) != 0);
        return Key(number);
    }

    private async Task UntilAsync(Func<bool> isSo)
    {
        while (!isSo())
        {
            // The task of a reader ends if the reader has found a violation.
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
                // It is unknown whether the write was applied. This is harmless, because no other write of this key has the same number.
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
