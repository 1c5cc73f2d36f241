using System.Globalization;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls.Collections;
using Larder.Wire;
using ItemType = Larder.Protocol.ItemGetTypeResponse.Types.ItemType;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>
/// Runs random calls on a few keys, which can have any type, and compares every response with plain .NET collections. Texts contain only digits and lower-case
/// letters, so that ordinal order equals byte order.
/// </summary>
internal sealed partial class GatewayModel(CollectionServer server, int seed)
{
    private const int Keys = 6;
    private const int Texts = 40;
    private const ulong TtlMs = 600_000;

    private readonly Random _random = new(seed);
    private readonly ByteString[] _keys = [.. Enumerable.Range(0, Keys).Select(_ => server.NewKey())];
    private readonly object?[] _held = new object?[Keys];
    private int _at;

    private ByteString Name => _keys[_at];

    private object? Held
    {
        get => _held[_at];
        set => _held[_at] = value switch
        {
            Dictionary<string, string> { Count: 0 } or HashSet<string> { Count: 0 } => null,
            List<string> { Count: 0 } or Dictionary<string, double> { Count: 0 } => null,
            _ => value,
        };
    }

    public async Task RunAsync(int calls)
    {
        for (int call = 0; call < calls; call++)
        {
            _at = _random.Next(Keys);
            await (_random.Next(22) switch
            {
                0 or 1 => SetFieldsAsync(),
                2 => GetFieldsAsync(),
                3 => DeleteFieldsAsync(),
                4 => IncrementFieldAsync(),
                5 or 6 => UniteAsync(),
                7 => SubtractAsync(),
                8 => PopSetAsync(),
                9 => ContainsAsync(),
                10 or 11 => PushAsync(),
                12 => PopListAsync(),
                13 => RetainAsync(),
                14 => RemoveOrEraseAsync(),
                15 or 16 => PutAsync(),
                17 => IncrementScoreAsync(),
                18 => FetchSortedAsync(),
                19 => RanksAsync(),
                20 => ReplaceAsync(),
                _ => CheckAsync(),
            });
        }

        for (_at = 0; _at < Keys; _at++)
        {
            await CheckAsync();
        }
    }

    private static ByteString Bytes(string text) => CollectionServer.Bytes(text);

    private string Text() => _random.Next(Texts).ToString("x", CultureInfo.InvariantCulture);

    private string[] Some() => [.. Enumerable.Range(0, _random.Next(1, 6)).Select(_ => Text())];

    private double Score() => _random.Next(8) switch { 0 => double.PositiveInfinity, 1 => double.NegativeInfinity, int other => (other - 4) / 4.0 };

    // Returns the key's collection if it has this type, a new one if the key is missing, and null if it has another type.
    private T? Own<T>()
        where T : class, new() => Held is null ? new T() : Held as T;

    // Runs a call. It must succeed if the key has the right type in the model, and must be rejected otherwise.
    private async Task<TResponse?> AskAsync<TResponse>(bool isOfType, IMessage request)
        where TResponse : class, IMessage<TResponse>, new()
    {
        Transport transport = _random.Next(4) == 0 ? Transport.Unary : Transport.Pipeline;
        if (isOfType)
        {
            return await server.OkAsync<TResponse>(transport, request);
        }

        Assert.Equal(StatusCode.FailedPrecondition, await server.CodeAsync(transport, request));
        return null;
    }

    private async Task ReplaceAsync()
    {
        if (_random.Next(3) > 0)
        {
            await server.OkAsync<DeleteResponse>(Transport.Pipeline, new DeleteRequest { Key = Name });
            Held = null;
            return;
        }

        await server.OkAsync<SetResponse>(Transport.Pipeline, new SetRequest { Key = Name, Value = Bytes("scalar"), TtlMs = TtlMs });
        Held = "scalar";
    }

    private async Task CheckAsync()
    {
        ItemGetTypeResponse type = await server.OkAsync<ItemGetTypeResponse>(Transport.Pipeline, new ItemGetTypeRequest { Key = Name });
        switch (Held)
        {
            case null:
                Assert.NotNull(type.Missing);
                break;
            case string:
                Assert.Equal(ItemType.Scalar, type.Found.Type);
                break;
            case Dictionary<string, string> fields:
                DictionaryFetchResponse items = await server.OkAsync<DictionaryFetchResponse>(Transport.Pipeline, new DictionaryFetchRequest { Name = Name });
                Assert.Equal(
                    fields.OrderBy(each => each.Key),
                    items.Found.Items.Select(each => KeyValuePair.Create(each.Field.ToStringUtf8(), each.Value.ToStringUtf8())).OrderBy(each => each.Key));
                break;
            case HashSet<string> set:
                SetFetchResponse elements = await server.OkAsync<SetFetchResponse>(Transport.Pipeline, new SetFetchRequest { Name = Name });
                Assert.Equal(set.Order(), elements.Found.Elements.Select(each => each.ToStringUtf8()).Order());
                break;
            case List<string> list:
                ListFetchResponse values = await server.OkAsync<ListFetchResponse>(Transport.Pipeline, new ListFetchRequest { Name = Name });
                Assert.Equal(list, values.Found.Elements.Select(each => each.ToStringUtf8()));
                break;
            case Dictionary<string, double> sorted:
                SortedSetLengthResponse length = await server.OkAsync<SortedSetLengthResponse>(Transport.Pipeline, new SortedSetLengthRequest { Name = Name });
                Assert.Equal(sorted.Count, (int)length.Found.Length);
                break;
            default:
                throw new InvalidOperationException("no such item");
        }
    }
}
