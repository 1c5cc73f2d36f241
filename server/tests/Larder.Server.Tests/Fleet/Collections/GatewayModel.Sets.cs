using Larder.Protocol;

namespace Larder.Server.Tests.Fleet.Collections;

internal sealed partial class GatewayModel
{
    private async Task UniteAsync()
    {
        HashSet<string>? own = Own<HashSet<string>>();
        string[] some = Some();
        await AskAsync<SetUnionResponse>(own is not null, new SetUnionRequest { Name = Name, Elements = { some.Select(Bytes) }, TtlMs = TtlMs });
        own?.UnionWith(some);
        Held = own ?? Held;
    }

    private async Task SubtractAsync()
    {
        HashSet<string>? own = Own<HashSet<string>>();
        string[] some = Some();
        bool isMinuend = _random.Next(2) == 0;
        SetDifferenceRequest request = new() { Name = Name };
        if (isMinuend)
        {
            request.Minuend = new() { Elements_ = { some.Select(Bytes) } };
        }
        else
        {
            request.Subtrahend = new() { Set = new() { Elements_ = { some.Select(Bytes) } } };
        }

        SetDifferenceResponse? answer = await AskAsync<SetDifferenceResponse>(own is not null, request);
        if (own is null)
        {
            return;
        }

        Assert.Equal(Held is null, answer!.Missing is not null);
        if (Held is not null)
        {
            Held = isMinuend ? some.Except(own).ToHashSet() : own.Except(some).ToHashSet();
        }
    }

    private async Task PopSetAsync()
    {
        HashSet<string>? own = Own<HashSet<string>>();
        int count = _random.Next(1, 5);
        SetSampleResponse? sample = await AskAsync<SetSampleResponse>(own is not null, new SetSampleRequest { Name = Name, Limit = (ulong)count });
        SetPopResponse? popped = await AskAsync<SetPopResponse>(own is not null, new SetPopRequest { Name = Name, Count = (uint)count });
        if (own is null)
        {
            return;
        }

        Assert.Equal(Held is null, popped!.Missing is not null);
        string[] shown = [.. sample!.Found?.Elements.Select(each => each.ToStringUtf8()) ?? []];
        string[] taken = [.. popped.Found?.Elements.Select(each => each.ToStringUtf8()) ?? []];
        Assert.Equal(Math.Min(count, own.Count), shown.Distinct().Count());
        Assert.Equal(Math.Min(count, own.Count), taken.Distinct().Count());
        Assert.All(shown.Concat(taken), each => Assert.Contains(each, own));
        own.ExceptWith(taken);
        Held = own;
    }

    private async Task ContainsAsync()
    {
        HashSet<string>? own = Own<HashSet<string>>();
        string[] some = Some();
        SetContainsRequest request = new() { Name = Name, Elements = { some.Select(Bytes) } };
        SetContainsResponse? answer = await AskAsync<SetContainsResponse>(own is not null, request);
        if (own is not null)
        {
            Assert.Equal(Held is null, answer!.Missing is not null);
            Assert.Equal(Held is null ? [] : some.Select(own.Contains), answer.Found?.Contains ?? []);
        }
    }
}
