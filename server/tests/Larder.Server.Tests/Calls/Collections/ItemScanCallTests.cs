using System.Globalization;
using System.Security.Cryptography;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Wire;
using Items = Larder.Protocol.ScanItemsResponse.ItemsOneofCase;

namespace Larder.Server.Tests.Calls.Collections;

/// <summary>Tests of scans of collections (ITEMS). One derived class runs the tests on the in-memory store, and another one on a gateway.</summary>
public abstract class ItemScanCallTests(CollectionServer server)
{
    private const string Path = "/larder.v1.Extras/ScanItems";

    [Theory]
    [InlineData(1, 1u)]
    [InlineData(3, 1u)]
    [InlineData(2_000, 30u)]
    [InlineData(20_000, 0u)]
    [InlineData(20_000, uint.MaxValue)]
    public async Task ITEMS_1_and_2_scan_returns_all_elements_in_response_field_for_their_type(int elements, uint count)
    {
        string[] names = [.. Enumerable.Range(0, elements).Select(number => number.ToString(CultureInfo.InvariantCulture))];
        foreach (Items type in new[] { Items.Dictionary, Items.Set, Items.List, Items.SortedSet })
        {
            ByteString name = server.NewKey();
            await FillAsync(name, type, names);
            List<ScanItemsResponse> pages = await AllAsync(name, count);
            Assert.All(pages, page => Assert.Equal(type, page.ItemsCase));
            string[] shown = [.. pages.SelectMany(Shown)];
            Assert.Equal(Expected(type, names).Order(), shown.Distinct().Order());
            if (type == Items.List)
            {
                Assert.Equal(names, shown);
            }
        }
    }

    [Fact]
    public async Task ITEMS_1_scan_preserves_binary_empty_and_infinite_values()
    {
        ByteString name = server.NewKey();
        ByteString binary = ByteString.CopyFrom(0, 255, 128, 10);
        DictionarySetRequest fields = new() { Name = name, TtlMs = 60_000 };
        fields.Items.Add(new DictionaryItem { Field = binary, Value = ByteString.Empty });
        await server.OkAsync<DictionarySetResponse>(Transport.Unary, fields);
        ScannedField field = Assert.Single((await AskAsync(new ScanItemsRequest { Name = name })).Dictionary.Fields);
        Assert.Equal((binary, ByteString.Empty), (field.Field, field.Value));

        ByteString sorted = server.NewKey();
        SortedSetPutRequest put = new() { Name = sorted, TtlMs = 60_000 };
        put.Elements.Add(new SortedSetElement { Value = binary, Score = double.NegativeInfinity });
        put.Elements.Add(new SortedSetElement { Value = ByteString.Empty, Score = 0.1 });
        await server.OkAsync<SortedSetPutResponse>(Transport.Unary, put);
        ScanItemsResponse page = await AskAsync(new ScanItemsRequest { Name = sorted });
        Assert.Equal(
            [(ByteString.Empty, 0.1), (binary, double.NegativeInfinity)],
            page.SortedSet.Elements.Select(each => (each.Value, each.Score)).OrderBy(each => each.Value.Length));
    }

    [Fact]
    public async Task ITEMS_3_page_of_large_elements_is_limited_to_8_MiB()
    {
        ByteString name = server.NewKey();
        for (int number = 0; number < 12; number++)
        {
            string large = number.ToString("00", CultureInfo.InvariantCulture) + new string('x', number % 3 == 0 ? 10 : 2_500_000);
            await FillAsync(name, Items.List, large);
        }

        List<ScanItemsResponse> pages = await AllAsync(name, 0);
        Assert.Equal(Enumerable.Range(0, 12), pages.SelectMany(Shown).Select(each => int.Parse(each.AsSpan(0, 2), CultureInfo.InvariantCulture)));
        Assert.All(pages, page => Assert.InRange(page.CalculateSize(), 1, 8 << 20));
        await server.OkAsync<DeleteResponse>(Transport.Unary, new DeleteRequest { Key = name });
    }

    [Fact]
    public async Task ITEMS_4_and_5_scan_detects_deletion_or_type_change_of_key_between_pages()
    {
        string[] names = [.. Enumerable.Range(0, 2_000).Select(number => number.ToString(CultureInfo.InvariantCulture))];
        foreach (Items type in new[] { Items.Dictionary, Items.Set, Items.List, Items.SortedSet })
        {
            ByteString name = server.NewKey();
            await FillAsync(name, type, names);
            ScanItemsRequest ask = new() { Name = name, Count = 10, Cursor = (await AskAsync(new ScanItemsRequest { Name = name, Count = 10 })).Cursor };
            await server.OkAsync<DeleteResponse>(Transport.Unary, new DeleteRequest { Key = name });
            ScanItemsResponse gone = await AskAsync(ask);
            Assert.Equal((Items.Missing, 0), (gone.ItemsCase, gone.Cursor.Length));
            await FillAsync(name, type == Items.Set ? Items.List : Items.Set, names);
            Assert.Equal(StatusCode.FailedPrecondition, await CodeAsync(ask));
            await server.OkAsync<SetResponse>(Transport.Unary, new SetRequest { Key = name, Value = name, TtlMs = 60_000 });
            Assert.Equal(StatusCode.FailedPrecondition, await CodeAsync(ask));
        }
    }

    [Fact]
    public async Task ITEMS_5_and_6_scan_rejects_scalar_empty_name_and_unknown_cache()
    {
        ByteString name = server.NewKey();
        await server.OkAsync<SetResponse>(Transport.Unary, new SetRequest { Key = name, Value = name, TtlMs = 60_000 });
        Assert.Equal(StatusCode.FailedPrecondition, await CodeAsync(new ScanItemsRequest { Name = name }));
        Assert.Equal(StatusCode.InvalidArgument, await CodeAsync(new ScanItemsRequest()));
        Assert.Equal(StatusCode.NotFound, await CodeAsync(new ScanItemsRequest { Name = name }, RunningServer.CacheHeaders("elsewhere")));
        Assert.Equal(StatusCode.InvalidArgument, await CodeAsync(new ScanItemsRequest { Name = name }, RpcHeaders.Empty));
        Assert.Equal(Items.Missing, (await AskAsync(new ScanItemsRequest { Name = server.NewKey() })).ItemsCase);
    }

    [Fact]
    public async Task ITEMS_7_scan_rejects_cursor_of_another_key_or_cache()
    {
        string[] names = [.. Enumerable.Range(0, 2_000).Select(number => number.ToString(CultureInfo.InvariantCulture))];
        ByteString name = server.NewKey();
        await FillAsync(name, Items.Set, names);
        ByteString cursor = (await AskAsync(new ScanItemsRequest { Name = name, Count = 1 })).Cursor;
        Assert.NotEmpty(cursor);
        Assert.Equal(StatusCode.InvalidArgument, await CodeAsync(new ScanItemsRequest { Name = server.NewKey(), Cursor = cursor }));
        string other = $"other-{name.ToStringUtf8()}";
        await server.Server.CallAsync<CreateCacheResponse>("/control_client.ScsControl/CreateCache", new CreateCacheRequest { Name = other });
        Assert.Equal(StatusCode.InvalidArgument, await CodeAsync(new ScanItemsRequest { Name = name, Cursor = cursor }, RunningServer.CacheHeaders(other)));
        for (int length = 1; length < 80; length++)
        {
            ScanItemsRequest hostile = new() { Name = name, Cursor = ByteString.CopyFrom(RandomNumberGenerator.GetBytes(length)) };
            Assert.Equal(StatusCode.InvalidArgument, await CodeAsync(hostile));
        }
    }

    private async Task FillAsync(ByteString name, Items type, params string[] names)
    {
        ByteString[] bytes = [.. names.Select(CollectionServer.Bytes)];
        switch (type)
        {
            case Items.Dictionary:
                DictionarySetRequest fields = new() { Name = name, TtlMs = 60_000 };
                fields.Items.AddRange(bytes.Select(each => new DictionaryItem { Field = each, Value = each }));
                await server.OkAsync<DictionarySetResponse>(Transport.Unary, fields);
                break;
            case Items.Set:
                await server.OkAsync<SetUnionResponse>(Transport.Unary, new SetUnionRequest { Name = name, Elements = { bytes }, TtlMs = 60_000 });
                break;
            case Items.List:
                ListConcatenateBackRequest push = new() { Name = name, Values = { bytes }, TtlMs = 60_000 };
                await server.OkAsync<ListConcatenateBackResponse>(Transport.Unary, push);
                break;
            default:
                SortedSetPutRequest put = new() { Name = name, TtlMs = 60_000 };
                put.Elements.AddRange(bytes.Select((each, number) => new SortedSetElement { Value = each, Score = number % 7 }));
                await server.OkAsync<SortedSetPutResponse>(Transport.Unary, put);
                break;
        }
    }

    private static IEnumerable<string> Expected(Items type, string[] names) => type switch
    {
        Items.Dictionary => names.Select(each => $"{each}={each}"),
        Items.SortedSet => names.Select((each, number) => $"{each}:{number % 7}"),
        _ => names,
    };

    private static IEnumerable<string> Shown(ScanItemsResponse page) => page.ItemsCase switch
    {
        Items.Dictionary => page.Dictionary.Fields.Select(each => $"{each.Field.ToStringUtf8()}={each.Value.ToStringUtf8()}"),
        Items.SortedSet => page.SortedSet.Elements.Select(each => $"{each.Value.ToStringUtf8()}:{each.Score}"),
        Items.Set => page.Set.Elements.Select(each => each.ToStringUtf8()),
        _ => page.List.Elements.Select(each => each.ToStringUtf8()),
    };

    private async Task<List<ScanItemsResponse>> AllAsync(ByteString name, uint count)
    {
        List<ScanItemsResponse> pages = [];
        do
        {
            ByteString cursor = pages.Count == 0 ? ByteString.Empty : pages[^1].Cursor;
            pages.Add(await AskAsync(new ScanItemsRequest { Name = name, Count = count, Cursor = cursor }));
        }
        while (!pages[^1].Cursor.IsEmpty);
        return pages;
    }

    private async Task<ScanItemsResponse> AskAsync(ScanItemsRequest request) => await server.Server.CallAsync<ScanItemsResponse>(Path, request);

    private async Task<StatusCode> CodeAsync(ScanItemsRequest request, RpcHeaders? headers = null) =>
        (await Assert.ThrowsAsync<RpcException>(async () => await server.Server.CallAsync<ScanItemsResponse>(Path, request, headers))).Status.Code;
}
