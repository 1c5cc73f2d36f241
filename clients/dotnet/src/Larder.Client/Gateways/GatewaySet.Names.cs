using System.Net;
using System.Net.Sockets;
using Larder.Client.Fronts;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <content>Resolves names that stand for several servers, and follows their changes (FRONT-3, FRONT-11).</content>
internal sealed partial class FrontSet
{
    // The count is at most one: however many gateways fail, names are resolved once.
    private readonly SemaphoreSlim _resolveSoon = new(0, 1);
    private readonly IPAddress[]?[] _resolved;

    private void ResolveSoon()
    {
        lock (_resolveSoon)
        {
            if (_resolveSoon.CurrentCount == 0)
            {
                _resolveSoon.Release();
            }
        }
    }

    private async Task ResolveAsync()
    {
        // Resolves names off the thread that creates the client.
        await PoolQueue.Work.Yield();
        try
        {
            while (true)
            {
                for (int i = 0; i < _resolved.Length; i++)
                {
                    if (_options.Addresses[i].IsName)
                    {
                        await ResolveAsync(i).On(PoolQueue.Work);
                    }
                }

                Apply();
                await Task.Delay(_options.ResolvePause, DedicatedTime.Instance, _closing.Token).On(PoolQueue.Work);
                await _resolveSoon.WaitAsync(_options.ResolveEvery, _closing.Token).On(PoolQueue.Work);
            }
        }
        catch (OperationCanceledException)
        {
            // The client is closing.
        }
    }

    private async Task ResolveAsync(int index)
    {
        try
        {
            IPAddress[] found = await _options.Resolve(_options.Addresses[index].Endpoint.IdnHost, _closing.Token).On(PoolQueue.Work);
            if (found.Length > 0)
            {
                _resolved[index] = FrontNames.FrontsOf(found);
            }
        }
        catch (Exception exception) when (exception is SocketException or ArgumentException)
        {
            // Keep the previous addresses. If they fail too, the attempt to connect reports why.
            Log.NotResolved(_logger, _options.Addresses[index].Endpoint.Host, exception.Message);
        }
    }

    private void Apply()
    {
        List<(FrontAddress Address, IPAddress? At)> wanted = [];
        for (int i = 0; i < _resolved.Length; i++)
        {
            FrontAddress address = _options.Addresses[i];
            IEnumerable<IPAddress?> all = _resolved[i] is { Length: > 0 } several ? several : new IPAddress?[1];
            wanted.AddRange(all.Select(at => (address, at)));
        }

        if (wanted.Count > ServerAddress.MostFronts)
        {
            wanted.RemoveRange(ServerAddress.MostFronts, wanted.Count - ServerAddress.MostFronts);
        }

        Front[] before = _fronts;
        Front[] after =
        [
            .. wanted.Select(one => Array.Find(before, front => front.Address == one.Address && Equals(front.At, one.At)) ?? Make(one.Address, one.At)),
        ];
        Front[] gone = [.. before.Except(after)];
        if (gone.Length == 0 && after.Length == before.Length)
        {
            return;
        }

        lock (_lock)
        {
            Volatile.Write(ref _fronts, after);
            _leaving.UnionWith(gone);
        }

        Log.FrontsChanged(_logger, after.Length, string.Join(", ", after.Select(static front => front.Name)));
        _runner.Route(Only ?? this);
        foreach (Front front in gone)
        {
            front.IsGone = true;
            _ = LetGoAsync(front);
        }

        SendWaiting();
    }

    // Waits until the gateway's calls are answered or their deadline has passed.
    private async Task LetGoAsync(Front front)
    {
        TimeSpan until = _now() + _options.CallTimeout;
        while (front.Transport.InFlight > 0 && _now() < until && !_closing.IsCancellationRequested)
        {
            await Task.Delay(AskAgain, DedicatedTime.Instance, _closing.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await front.Transport.DisposeAsync().On(PoolQueue.Work);
        lock (_lock)
        {
            _leaving.Remove(front);
        }
    }
}
