using Google.Protobuf;
using Larder.Protocol;

namespace Larder.Server.Tests.Fleet.Collections;

internal sealed partial class GatewayModel
{
    private async Task PushAsync()
    {
        List<string>? own = Own<List<string>>();
        string[] some = Some();
        uint truncateTo = _random.Next(3) == 0 ? (uint)_random.Next(1, 12) : 0;
        uint length;
        if (_random.Next(2) == 0)
        {
            ListConcatenateFrontRequest front = new() { Name = Name, Values = { some.Select(Bytes) }, TtlMs = TtlMs, TruncateBackToSize = truncateTo };
            length = (await AskAsync<ListConcatenateFrontResponse>(own is not null, front))?.Length ?? 0;
            own?.InsertRange(0, some);
            own?.RemoveRange(Kept(own, truncateTo), own.Count - Kept(own, truncateTo));
        }
        else
        {
            ListConcatenateBackRequest back = new() { Name = Name, Values = { some.Select(Bytes) }, TtlMs = TtlMs, TruncateFrontToSize = truncateTo };
            length = (await AskAsync<ListConcatenateBackResponse>(own is not null, back))?.Length ?? 0;
            own?.AddRange(some);
            own?.RemoveRange(0, own.Count - Kept(own, truncateTo));
        }

        Held = own ?? Held;
        Assert.Equal(own?.Count ?? 0, (int)length);
    }

    private static int Kept(List<string> list, uint truncateTo) => truncateTo == 0 ? list.Count : Math.Min(list.Count, (int)truncateTo);

    private async Task PopListAsync()
    {
        List<string>? own = Own<List<string>>();
        bool isFront = _random.Next(2) == 0;
        (ByteString? Value, uint Length) popped = isFront
            ? await AskAsync<ListPopFrontResponse>(own is not null, new ListPopFrontRequest { Name = Name }) is { Found: { } front }
                ? (front.Value, front.Length) : default
            : await AskAsync<ListPopBackResponse>(own is not null, new ListPopBackRequest { Name = Name }) is { Found: { } back }
                ? (back.Value, back.Length) : default;
        if (own is { Count: > 0 })
        {
            int index = isFront ? 0 : own.Count - 1;
            Assert.Equal(own[index], popped.Value!.ToStringUtf8());
            own.RemoveAt(index);
            Held = own;
        }
        else
        {
            Assert.Null(popped.Value);
        }

        Assert.Equal(own?.Count ?? 0, (int)popped.Length);
    }

    private (int First, int Count) Slice(int count, out int? start, out int? end)
    {
        start = _random.Next(3) == 0 ? null : _random.Next(-count - 2, count + 3);
        end = _random.Next(3) == 0 ? null : _random.Next(-count - 2, count + 3);
        int first = start is { } from ? Math.Max(from < 0 ? count + from : from, 0) : 0;
        int stop = end is { } to ? Math.Min(to < 0 ? count + to : to, count) : count;
        return (first, Math.Max(stop - first, 0));
    }

    private async Task RetainAsync()
    {
        List<string>? own = Own<List<string>>();
        (int first, int count) = Slice(own?.Count ?? 3, out int? start, out int? end);
        ListFetchRequest fetch = new() { Name = Name };
        ListRetainRequest retain = new() { Name = Name };
        if (start is { } from)
        {
            fetch.InclusiveStart = from;
            retain.InclusiveStart = from;
        }

        if (end is { } to)
        {
            fetch.ExclusiveEnd = to;
            retain.ExclusiveEnd = to;
        }

        ListFetchResponse? fetched = await AskAsync<ListFetchResponse>(own is not null, fetch);
        ListRetainResponse? kept = await AskAsync<ListRetainResponse>(own is not null, retain);
        if (own is null)
        {
            return;
        }

        List<string> left = own.GetRange(Math.Min(first, own.Count), count);
        Assert.Equal(count == 0, fetched!.Missing is not null);
        Assert.Equal(left, fetched.Found?.Elements.Select(each => each.ToStringUtf8()) ?? []);
        Assert.Equal(Held is null, kept!.Missing is not null);
        Assert.Equal(count, (int)(kept.Found?.Length ?? 0));
        Held = left;
    }

    private async Task RemoveOrEraseAsync()
    {
        List<string>? own = Own<List<string>>();
        List<string> left = own ?? [];
        uint? length;
        if (_random.Next(2) == 0)
        {
            string value = Text();
            ListRemoveRequest remove = new() { Name = Name, AllWithValue = Bytes(value) };
            ListRemoveResponse? removed = await AskAsync<ListRemoveResponse>(own is not null, remove);
            left = [.. left.Where(each => each != value)];
            length = removed?.Found?.Length;
        }
        else
        {
            ListEraseRequest erase = new() { Name = Name, Some = new() };
            for (int ranges = _random.Next(4); ranges > 0; ranges--)
            {
                erase.Some.Ranges.Add(new ListEraseRequest.Types.Range { Begin = (uint)_random.Next(left.Count + 2), Count = (uint)_random.Next(4) });
            }

            left = [.. left.Where((_, index) => !erase.Some.Ranges.Any(range => index >= range.Begin && index < range.Begin + range.Count))];
            length = (await AskAsync<ListEraseResponse>(own is not null, erase))?.Found?.Length;
        }

        if (own is not null)
        {
            Assert.Equal(Held is null ? null : (uint)left.Count, length);
            Held = left;
        }
    }
}
