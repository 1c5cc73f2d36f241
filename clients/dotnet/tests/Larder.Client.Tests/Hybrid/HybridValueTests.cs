using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Larder.Client.Codecs;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Client.Tests.Hybrid;

/// <summary>Tests how Larder's HybridCache stores, copies and shares values.</summary>
public sealed class HybridValueTests
{
    public sealed record Mutable(List<int> Numbers);

    [ImmutableObject(true)]
    public sealed record Immutable(int Id, string Text);

    [Fact]
    public async Task Values_of_all_kinds_are_read_by_another_process()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        await Same("text");
        await Same("");
        await Same(7);
        await Same<byte[]>([1, 2]);
        await Same<byte[]>([]);
        await Same(new Immutable(1, "one"));
        await Same((1, "tuple"));
        await Same<int?>(null);
        await Same<string?>(null);
        await Same<Immutable?>(null);
        await Same<Dictionary<string, int>>(new() { ["a"] = 1 });

        async Task Same<T>(T value)
        {
            string key = Guid.NewGuid().ToString();
            Assert.Equal(value, await nodes.ReadAsync(0, key, value));
            Assert.Equal(value, await nodes[1].GetOrCreateAsync<T>(key, _ => throw new InvalidOperationException("The value is on the server.")));
            await nodes.CopiedAsync<T>(1, key);
            Assert.Equal(value, await nodes[1].GetOrCreateAsync<T>(key, _ => throw new InvalidOperationException("The value is in memory.")));
        }
    }

    [Fact]
    public async Task Immutable_object_is_shared_and_mutable_object_is_copied()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await nodes.ReadAsync(0, "immutable", new Immutable(1, "one"));
        await nodes.CopiedAsync<Immutable>(0, "immutable");
        Assert.Same(await nodes.ReadAsync(0, "immutable", new Immutable(2, "")), await nodes.ReadAsync(0, "immutable", new Immutable(2, "")));

        Mutable made = new([1]);
        Mutable first = await nodes.ReadAsync(0, "mutable", made);
        Assert.NotSame(made, first);
        first.Numbers.Add(2);
        await nodes.CopiedAsync<Mutable>(0, "mutable");
        Mutable second = await nodes.ReadAsync(0, "mutable", new Mutable([]));
        second.Numbers.Add(3);
        Assert.Equal([1], (await nodes.ReadAsync(0, "mutable", new Mutable([]))).Numbers);

        byte[] bytes = await nodes.ReadAsync<byte[]>(0, "bytes", [1]);
        bytes[0] = 2;
        await nodes.CopiedAsync<byte[]>(0, "bytes");
        (await nodes.ReadAsync<byte[]>(0, "bytes", []))[0] = 3;
        Assert.Equal([1], await nodes.ReadAsync<byte[]>(0, "bytes", []));
    }

    [Fact]
    public async Task Hit_of_an_immutable_type_allocates_nothing()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        LarderHybridCache cache = nodes[0];
        await nodes.ReadAsync(0, "k", new Immutable(7, "seven"));
        await nodes.CopiedAsync<Immutable>(0, "k");
        Assert.Equal(7_000, ReadOften());
        long before = GC.GetAllocatedBytesForCurrentThread();
        int sum = ReadOften();
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal((7_000, 0), (sum, allocated));

        int ReadOften()
        {
            int total = 0;
            for (int i = 0; i < 1_000; i++)
            {
                ValueTask<Immutable> read = cache.GetOrCreateAsync("k", 0, static (_, _) => ValueTask.FromResult(new Immutable(0, "")));
                total += read.Result.Id;
            }

            return total;
        }
    }

    [Fact]
    public async Task Interpolated_and_span_keys_find_the_same_entry()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        int id = 7;
        await nodes.ReadAsync(0, "order:7", 1);
        await nodes.CopiedAsync<int>(0, "order:7");
        Assert.Equal(1, await nodes[0].GetOrCreateAsync($"order:{id}", static _ => ValueTask.FromResult(2)));
        Assert.Equal(1, await nodes[0].GetOrCreateAsync("order:7".AsSpan(), static _ => ValueTask.FromResult(2)));
        Assert.Equal(3, await nodes[0].GetOrCreateAsync("order:8".AsSpan(), static _ => ValueTask.FromResult(3)));
    }

    [Fact]
    public async Task Typed_caches_read_text_bytes_and_json()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        await nodes.ReadAsync(0, "text", "words");
        await nodes.ReadAsync<byte[]>(0, "bytes", [1, 2]);
        await nodes.ReadAsync(0, "json", new Mutable([1]));
        Cache cache = nodes.ClientOf(0).Cache("cache");
        Assert.Equal("words", Expect.Hit(await cache.Typed(new TextCodec()).GetAsync("hybrid:text")));
        Assert.Equal([1, 2], Expect.Hit(await cache.Typed(new BytesCodec()).GetAsync("hybrid:bytes"))!);
        Assert.EndsWith("{\"Numbers\":[1]}", Expect.Hit(await cache.GetAsync("hybrid:json")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Registered_serializer_and_factory_replace_json()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(services: static services =>
        {
            services.AddHybridCache().AddSerializerFactory(new NumbersFactory());
            services.AddSingleton<IHybridCacheSerializer<Immutable>>(new TextSerializer());
        });
        Assert.Equal("one", (await nodes.ReadAsync(0, "immutable", new Immutable(1, "one"))).Text);
        await nodes.ReadAsync(0, "factory", new Mutable([1, 2]));
        await nodes.ReadAsync(0, "other", 7);
        Cache cache = nodes.ClientOf(0).Cache("cache");
        Assert.EndsWith("1 one", Expect.Hit(await cache.GetAsync("hybrid:immutable")).Text, StringComparison.Ordinal);
        Assert.EndsWith("1,2", Expect.Hit(await cache.GetAsync("hybrid:factory")).Text, StringComparison.Ordinal);
        Assert.EndsWith("7", Expect.Hit(await cache.GetAsync("hybrid:other")).Text, StringComparison.Ordinal);
        Assert.Equal([1, 2], (await nodes.ReadAsync(0, "factory", new Mutable([]))).Numbers);
    }

    [Fact]
    public async Task Type_without_json_metadata_throws_NotSupportedException()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(services: static services => services.AddKeyedSingleton<JsonSerializerOptions>(
            typeof(IHybridCacheSerializer<>), new JsonSerializerOptions { TypeInfoResolver = JsonTypeInfoResolver.Combine() }));
        NotSupportedException error = await Assert.ThrowsAsync<NotSupportedException>(() => nodes.ReadAsync(0, "json", new Mutable([1])).AsTask());
        Assert.Contains($"The type {typeof(Mutable)} has no JSON metadata", error.Message, StringComparison.Ordinal);
        Assert.Equal("words", await nodes.ReadAsync(0, "text", "words"));
    }

    [Fact]
    public async Task Stored_form_does_not_depend_on_AddHybridCache()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync();
        int other = nodes.Add(nodes.Server.Port, services: static services => services.AddHybridCache());
        await nodes.ReadAsync(0, "json", new Mutable([1]));
        await nodes.ReadAsync(0, "text", "words");
        Assert.Equal([1], (await nodes.ReadAsync(other, "json", new Mutable([2]))).Numbers);
        Assert.Equal("words", await nodes.ReadAsync(other, "text", "others"));
    }

    [Fact]
    public async Task Serializer_exception_reaches_caller_and_releases_the_lease()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(
            services: static services => services.AddSingleton<IHybridCacheSerializer<Immutable>>(new TextSerializer()));
        FormatException writing = await Assert.ThrowsAsync<FormatException>(() => nodes.ReadAsync(0, "k", new Immutable(-1, "")).AsTask());
        Assert.Equal("The serializer writes.", writing.Message);
        await Assert.ThrowsAsync<FormatException>(() => nodes[0].SetAsync("k", new Immutable(-1, "")).AsTask());
        Assert.Equal("two", (await nodes.ReadAsync(0, "k", new Immutable(2, "two"))).Text);
    }

    [Fact]
    public async Task Undecodable_value_is_created_again_and_replaced()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2);
        await nodes.ClientOf(0).Cache("cache").SetAsync("hybrid:k", "no envelope");
        Assert.Equal(1, await nodes.ReadAsync(0, "k", 1));
        Assert.Equal(1, await nodes.ReadAsync(1, "k", 2));
        Assert.Equal("text", await nodes.ReadAsync(1, "k", "text"));
        Assert.Equal("text", await nodes.ReadAsync(0, "k", "other"));
    }

    [Fact]
    public async Task CompressAbove_compresses_unless_the_flag_disables_it()
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2, static options => options.CompressAbove = 100);
        string value = new('a', 10_000);
        await nodes.ReadAsync(0, "small", value);
        await nodes.ReadAsync(0, "large", value, new() { Flags = HybridCacheEntryFlags.DisableCompression });
        Cache cache = nodes.ClientOf(0).Cache("cache");
        Assert.InRange(Expect.Hit(await cache.GetAsync("hybrid:small")).Length, 1, 1_000);
        Assert.InRange(Expect.Hit(await cache.GetAsync("hybrid:large")).Length, 10_000, 10_100);
        Assert.Equal(value, await nodes.ReadAsync(1, "small", ""));
        Assert.Equal(value, await nodes.ReadAsync(1, "large", ""));
    }

    [Theory]
    [InlineData(1_000, 1)]
    [InlineData(1_001, 2)]
    [InlineData(10_000, 2)]
    public async Task Value_over_MaximumPayloadBytes_is_returned_and_not_stored(int bytes, int loads)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(2, static options => options.MaximumPayloadBytes = 1_000);
        int made = 0;
        for (int node = 0; node < 2; node++)
        {
            byte[] value = await nodes[node].GetOrCreateAsync("k", _ =>
            {
                made++;
                return ValueTask.FromResult(new byte[bytes]);
            });
            Assert.Equal(bytes, value.Length);
        }

        Assert.Equal(loads, made);
    }

    [Theory]
    [InlineData(1_001)]
    [InlineData(6_000_000)]
    public async Task SetAsync_of_an_oversized_value_removes_the_old_one(int bytes)
    {
        await using HybridNodes nodes = await HybridNodes.StartAsync(1, options => options.MaximumPayloadBytes = bytes > 5_000_000 ? 1 << 30 : 1_000);
        await nodes[0].SetAsync("k", new byte[] { 1 });
        await nodes[0].SetAsync("k", new byte[bytes]);
        Assert.Equal([2], await nodes.ReadAsync<byte[]>(0, "k", [2]));
    }

    private sealed class TextSerializer : IHybridCacheSerializer<Immutable>
    {
        public Immutable Deserialize(ReadOnlySequence<byte> source)
        {
            string[] parts = Encoding.UTF8.GetString(source).Split(' ');
            return new(int.Parse(parts[0], System.Globalization.CultureInfo.InvariantCulture), parts[1]);
        }

        public void Serialize(Immutable value, IBufferWriter<byte> target) =>
            target.Write(value.Id < 0 ? throw new FormatException("The serializer writes.") : Encoding.UTF8.GetBytes($"{value.Id} {value.Text}"));
    }

    private sealed class NumbersFactory : IHybridCacheSerializerFactory, IHybridCacheSerializer<Mutable>
    {
        public bool TryCreateSerializer<T>([NotNullWhen(true)] out IHybridCacheSerializer<T>? serializer)
        {
            serializer = this as IHybridCacheSerializer<T>;
            return serializer is not null;
        }

        public Mutable Deserialize(ReadOnlySequence<byte> source) => new([.. Encoding.UTF8.GetString(source).Split(',').Select(int.Parse)]);

        public void Serialize(Mutable value, IBufferWriter<byte> target) => target.Write(Encoding.UTF8.GetBytes(string.Join(',', value.Numbers)));
    }
}
