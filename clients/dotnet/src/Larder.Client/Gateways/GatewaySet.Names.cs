using System.Net;
using System.Net.Sockets;
using Larder.Client.Gateways;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <content>Resolves names that stand for several servers, and updates the gateways when the addresses change (GATEWAY-3, GATEWAY-11).</content>
internal sealed partial class GatewaySet
{
    // The semaphore's count is at most 1. If many gateways fail at the same time, the names are therefore resolved only once.
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
        // Continue on a thread of the work queue, so that the thread that creates the client does not resolve names.
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
                _resolved[index] = GatewayNames.GatewaysOf(found);
            }
        }
        catch (Exception exception) when (exception is SocketException or ArgumentException)
        {
            // Keep the previous addresses. If connecting to them also fails, that error is reported.
            Log.NotResolved(_logger, _options.Addresses[index].Endpoint.Host, exception.Message);
        }
    }

    private void Apply()
    {
        List<(GatewayAddress Address, IPAddress? At)> wanted = [];
        for (int i = 0; i < _resolved.Length; i++)
        {
            GatewayAddress address = _options.Addresses[i];
            IEnumerable<IPAddress?> all = _resolved[i] is { Length: > 0 } several ? several : new IPAddress?[1];
            wanted.AddRange(all.Select(at => (address, at)));
        }

        if (wanted.Count > ServerAddress.MaxGateways)
        {
            wanted.RemoveRange(ServerAddress.MaxGateways, wanted.Count - ServerAddress.MaxGateways);
        }

        Gateway[] before = _gateways;
        Gateway[] after =
        [
            .. wanted.Select(one => Array.Find(before, gateway => gateway.Address == one.Address && Equals(gateway.At, one.At)) ?? Make(one.Address, one.At)),
        ];
        Gateway[] gone = [.. before.Except(after)];
        if (gone.Length == 0 && after.Length == before.Length)
        {
            return;
        }

        lock (_lock)
        {
            Volatile.Write(ref _gateways, after);
            _leaving.UnionWith(gone);
        }

        Log.GatewaysChanged(_logger, after.Length, string.Join(", ", after.Select(static gateway => gateway.Name)));
        _runner.Route(Only ?? this);
        foreach (Gateway gateway in gone)
        {
            gateway.IsGone = true;
            _ = LetGoAsync(gateway);
        }

        SendWaiting();
    }

    // Closes a removed gateway. First waits until its calls have a response or their deadline has passed.
    private async Task LetGoAsync(Gateway gateway)
    {
        TimeSpan until = _now() + _options.CallTimeout;
        while (gateway.Transport.InFlight > 0 && _now() < until && !_closing.IsCancellationRequested)
        {
            await Task.Delay(AskAgain, DedicatedTime.Instance, _closing.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await gateway.Transport.DisposeAsync().On(PoolQueue.Work);
        lock (_lock)
        {
            _leaving.Remove(gateway);
        }
    }
}
