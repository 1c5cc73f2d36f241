using Larder.Store.Collections;

namespace Larder.Store.Tests.Collections;

/// <summary>
/// Tests scans of collections that change while a page is read and between pages. Every element that exists during the whole scan is returned. Freed memory is
/// overwritten, so that reads of it are detected.
/// </summary>
public sealed class ItemScanWhileWrittenTests : IDisposable
{
    private readonly CollectionFixture _fixture = new(maxMemoryBytes: 256L << 20);
    private readonly ItemScan _scan;

    public ItemScanWhileWrittenTests() => _scan = new ItemScan(_fixture.Cache);

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(ItemType.Dictionary, 1)]
    [InlineData(ItemType.Dictionary, 50)]
    [InlineData(ItemType.Set, 50)]
    [InlineData(ItemType.SortedSet, 50)]
    [InlineData(ItemType.List, 50)]
    public void Scan_returns_unchanged_elements_when_collection_is_resized_between_pages(ItemType type, int count)
    {
        const int Stays = 600;
        _scan.Fill("key", type, "stays", 0, Stays);
        int round = 0;
        HashSet<string> shown = Follow(count, () =>
        {
            if (round++ % 2 == 0)
            {
                _scan.Fill("key", type, "comes", 0, 5_000);
            }
            else if (type == ItemType.List)
            {
                _fixture.Cache.ListRetain("key"u8, new ListSlice(null, -5_000), default, out _);
            }
            else
            {
                _scan.Remove("key", type, [.. Enumerable.Range(0, 5_000).Select(number => $"comes{number}")]);
            }
        });
        Assert.Equal(Stays, shown.Count(name => name.StartsWith("stays", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(ItemType.Dictionary)]
    [InlineData(ItemType.Set)]
    [InlineData(ItemType.SortedSet)]
    public void Scan_returns_all_elements_of_collection_recreated_smaller_between_pages(ItemType type)
    {
        _scan.Fill("key", type, "e", 0, 2_000);
        byte[] cursor = Page([], 100).Cursor;
        _fixture.Cache.Delete("key"u8);
        _scan.Fill("key", type, "e", 0, 20);
        ElementPage page = Page(cursor, 1);
        Assert.Equal(Enumerable.Range(0, 20).Select(number => ItemScan.Text(type, "e", number)).Order(), ItemScan.Texts(page).Order());
        Assert.Empty(page.Cursor);
    }

    [Fact]
    public void Scan_returns_members_whose_scores_change_between_pages()
    {
        const int Members = 2_000;
        _scan.Fill("key", ItemType.SortedSet, "m", 0, Members);
        var random = new Random(7);
        HashSet<string> shown = Follow(20, () =>
        {
            for (int i = 0; i < 200; i++)
            {
                _fixture.Put("key", $"m{random.Next(Members)}:{random.Next(1_000)}");
            }
        });
        Assert.Equal(Members, shown.Select(name => name[..name.IndexOf(':', StringComparison.Ordinal)]).Distinct().Count());
    }

    [Fact]
    public void Scan_returns_remaining_list_elements_once_when_front_changes()
    {
        // Elements are only added and removed at the front, before the elements that stay.
        _scan.Fill("key", ItemType.List, "front", 0, 3_000);
        _scan.Fill("key", ItemType.List, "stays", 0, 3_000);
        var random = new Random(3);
        List<string> shown = [];
        Follow(70, () =>
        {
            int front = _fixture.Fetch("key").Split(' ').Count(name => name.Contains("front", StringComparison.Ordinal));
            if (random.Next(2) == 0)
            {
                _fixture.Push("key", ListEnd.Front, 0, [.. Enumerable.Range(0, random.Next(1, 300)).Select(number => $"front{number}")]);
            }
            else
            {
                _fixture.Cache.ListErase("key"u8, [new ListRange(0, (uint)random.Next(front))], out _);
            }
        }, shown);
        Assert.Equal(Enumerable.Range(0, 3_000).Select(number => $"stays{number}"), shown.Where(name => name.StartsWith("stays", StringComparison.Ordinal)));
    }

    [Fact]
    public void Scan_returns_remaining_list_elements_when_middle_changes()
    {
        const int Elements = 10_000;
        _scan.Fill("key", ItemType.List, "e", 0, Elements);
        List<int> left = [.. Enumerable.Range(0, Elements)];
        var random = new Random(11);
        HashSet<string> shown = Follow(200, () =>
        {
            for (int i = 0; i < 20; i++)
            {
                int at = random.Next(left.Count);
                if (random.Next(2) == 0)
                {
                    _scan.Remove("key", ItemType.List, $"e{left[at]}");
                    left.RemoveAt(at);
                }
                else
                {
                    int many = Math.Min(random.Next(1, 6), left.Count - at);
                    _fixture.Cache.ListErase("key"u8, [new ListRange((uint)at, (uint)many)], out _);
                    left.RemoveRange(at, many);
                }
            }
        });
        Assert.Empty(left.Select(number => $"e{number}").Except(shown));
    }

    [Theory]
    [InlineData(ItemType.Dictionary)]
    [InlineData(ItemType.Set)]
    [InlineData(ItemType.SortedSet)]
    [InlineData(ItemType.List)]
    public async Task Scan_with_concurrent_writers_returns_all_unchanged_elements(ItemType type)
    {
        const int Stays = 3_000;
        _scan.Fill("key", type, "stays", 0, Stays);
        using var stop = new CancellationTokenSource();
        Task[] writers = [.. Enumerable.Range(0, 2).Select(writer => Task.Run(() => Churn(writer)))];
        for (int scan = 0; scan < 15; scan++)
        {
            HashSet<string> shown = Follow(700, static () => { });
            Assert.Equal(Stays, shown.Count(name => name.StartsWith("stays", StringComparison.Ordinal)));
            Assert.All(shown, name => Assert.Matches("^(stays|comes)[0-9x]+(=v|:[0-9]+)?$", name));
        }

        await stop.CancelAsync();
        await Task.WhenAll(writers);

        void Churn(int writer)
        {
            var random = new Random(writer);
            while (!stop.IsCancellationRequested)
            {
                int first = random.Next(1_000);
                int many = random.Next(1, 2_000);
                _scan.Fill("key", type, $"comes{writer}x", first, many);
                if (type == ItemType.List)
                {
                    // Removes as many elements from each end as were added there.
                    _fixture.Push("key", ListEnd.Front, 0, $"comes{writer}", $"comes{writer}");
                    _fixture.Pop("key", ListEnd.Front);
                    _fixture.Pop("key", ListEnd.Front);
                    _fixture.Push("key", ListEnd.Back, 0, $"comes{writer}x");
                    _scan.Remove("key", type, $"comes{writer}x");
                    for (int i = 0; i < many; i++)
                    {
                        _fixture.Pop("key", ListEnd.Back);
                    }
                }
                else
                {
                    _scan.Remove("key", type, [.. Enumerable.Range(first, many).Select(number => $"comes{writer}x{number}")]);
                }
            }
        }
    }

    // Scans the collection and calls a function between two pages.
    private HashSet<string> Follow(int count, Action between, List<string>? inOrder = null)
    {
        HashSet<string> shown = [];
        byte[] cursor = [];
        int pages = 0;
        do
        {
            ElementPage page = Page(cursor, count);
            shown.UnionWith(ItemScan.Texts(page));
            inOrder?.AddRange(ItemScan.Texts(page));
            cursor = page.Cursor;
            between();
        }
        while (cursor.Length > 0 && pages++ < 5_000);
        Assert.Empty(cursor);
        return shown;
    }

    private ElementPage Page(byte[] cursor, int count)
    {
        Assert.Equal(CollectionOutcome.Ok, _fixture.Cache.ScanItems("key"u8, cursor, count, out ElementPage? page));
        return page!;
    }
}
