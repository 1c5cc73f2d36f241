using System.Globalization;
using Larder.Protocol;

namespace Larder.Server.Tests.Fleet.Collections;

internal sealed partial class GatewayModel
{
    private async Task SetFieldsAsync()
    {
        Dictionary<string, string>? own = Own<Dictionary<string, string>>();
        DictionarySetRequest request = new() { Name = Name, TtlMs = TtlMs };
        foreach (string field in Some())
        {
            string value = Text();
            request.Items.Add(new DictionaryItem { Field = Bytes(field), Value = Bytes(value) });
            if (own is not null)
            {
                own[field] = value;
            }
        }

        await AskAsync<DictionarySetResponse>(own is not null, request);
        Held = own ?? Held;
    }

    private async Task GetFieldsAsync()
    {
        Dictionary<string, string>? own = Own<Dictionary<string, string>>();
        string[] asked = [.. Enumerable.Range(0, _random.Next(1, 30)).Select(_ => Text())];
        DictionaryGetRequest get = new() { Name = Name, Fields = { asked.Select(Bytes) } };
        DictionaryGetResponse? got = await AskAsync<DictionaryGetResponse>(own is not null, get);
        if (own is not null)
        {
            Assert.Equal(Held is null, got!.Missing is not null);
            Assert.Equal(
                Held is null ? [] : asked.Select(field => own.GetValueOrDefault(field, "")),
                got.Found?.Parts.Select(part => part.Value.ToStringUtf8()) ?? []);
        }
    }

    private async Task DeleteFieldsAsync()
    {
        Dictionary<string, string>? own = Own<Dictionary<string, string>>();
        string[] some = Some();
        DictionaryDeleteRequest delete = new() { Name = Name, Some = new() { Fields = { some.Select(Bytes) } } };
        await AskAsync<DictionaryDeleteResponse>(own is not null, delete);
        Array.ForEach(some, field => own?.Remove(field));
        Held = own ?? Held;
    }

    private async Task IncrementFieldAsync()
    {
        Dictionary<string, string>? own = Own<Dictionary<string, string>>();
        string field = Text();
        long number = 0;
        bool isNumber = own is not null && (!own.TryGetValue(field, out string? text) || long.TryParse(text, out number));
        DictionaryIncrementRequest request = new() { Name = Name, Field = Bytes(field), Amount = _random.Next(-9, 10), TtlMs = TtlMs };
        DictionaryIncrementResponse? answer = await AskAsync<DictionaryIncrementResponse>(isNumber, request);
        if (isNumber)
        {
            Assert.Equal(number + request.Amount, answer!.Value);
            own![field] = answer.Value.ToString(CultureInfo.InvariantCulture);
            Held = own;
        }
    }
}
