using System.Text.Json;
using System.Text.Json.Serialization;

namespace Larder.FileStore.Tests;

public sealed partial class ClassInterfaceTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    public sealed class Person
    {
        public string FirstName { get; set; } = "";

        public int Age { get; set; }
    }

    [JsonSerializable(typeof(Person))]
    private sealed partial class Types : JsonSerializerContext;

    [Fact]
    public async Task Every_class_method_round_trips_objects()
    {
        using DistributedFileStoreCacheClass cache = new(_folder.Options());
        Person person = new() { FirstName = "Zoë <\"'>", Age = 7 };
        cache.SetClass("sync", person);
        await cache.SetClassAsync("async", person);
        cache.SetClass("typed", person, Types.Default.Person);
        await cache.SetClassAsync("typed async", person, Types.Default.Person);
        cache.SetManyClass<Person>([new("many", person)]);
        await cache.SetManyClassAsync<Person>([new("many async", person)]);
        cache.SetManyClass([new("typed many", person)], Types.Default.Person);
        await cache.SetManyClassAsync([new("typed many async", person)], Types.Default.Person);
        foreach (string key in (string[])["sync", "async", "typed", "typed async", "many", "many async", "typed many", "typed many async"])
        {
            Assert.Equal(person.FirstName, cache.GetClass<Person>(key)!.FirstName);
            Assert.Equal(7, (await cache.GetClassAsync<Person>(key))!.Age);
            Assert.Equal(7, cache.GetClass(key, Types.Default.Person)!.Age);
            Assert.Equal(7, (await cache.GetClassAsync(key, Types.Default.Person))!.Age);
            Assert.Equal(7, cache.GetClassFromString<Person>(cache.Get(key))!.Age);
        }
        Assert.Null(cache.GetClass<Person>("none"));
        Assert.Null(cache.GetClassFromString<Person>(null));
        Assert.Contains("Zoë <", cache.Get("sync"));
    }

    [Fact]
    public async Task GetOrCreateClass_runs_factory_once_and_returns_separate_objects()
    {
        using DistributedFileStoreCacheClass cache = new(_folder.Options());
        TaskCompletionSource<Person> made = new();
        int calls = 0;
        Task<Person>[] callers = [.. Enumerable.Range(0, 8).Select(_ => cache.GetOrCreateClassAsync("key", (_, _) =>
        {
            Interlocked.Increment(ref calls);
            return made.Task;
        }))];
        made.SetResult(new Person { Age = 7 });
        Person[] people = await Task.WhenAll(callers);
        Assert.Equal(1, calls);
        Assert.All(people, p => Assert.Equal(7, p.Age));
        Assert.Equal(8, people.Distinct().Count());
        Assert.Equal(7, cache.GetOrCreateClass<Person>("key", _ => throw new InvalidOperationException()).Age);
        Assert.Equal(7, cache.GetOrCreateClass("key", _ => throw new InvalidOperationException(), Types.Default.Person).Age);
        Assert.Equal(8, (await cache.GetOrCreateClassAsync("typed", (_, _) => Task.FromResult(new Person { Age = 8 }), Types.Default.Person)).Age);
        Assert.Throws<InvalidOperationException>(() => cache.GetOrCreateClass<Person>("null", _ => null!));
        Assert.Null(cache.Get("null"));
        cache.SetClass<Person>("null", null!);
        Assert.Throws<JsonException>(() => cache.GetOrCreateClass("null", _ => new Person()));
    }

    [Fact]
    public void Naming_policy_applies_to_writes_and_reads()
    {
        JsonSerializerOptions camel = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase, DictionaryKeyPolicy = JsonNamingPolicy.CamelCase };
        using DistributedFileStoreCacheClass cache = new(_folder.Options(o => o.JsonSerializerForCacheFile = camel));
        cache.Set("Before", "kept");
        cache.SetClass("Key", new Person { FirstName = "A" });
        Assert.Equal("A", cache.GetClass<Person>("Key")!.FirstName);
        Assert.Contains("firstName", cache.Get("Key"));
        Assert.Equal("kept", cache.Get("Before"));
        cache.SetManyClass<Person>([new("Many", new Person { FirstName = "B" })]);
        Assert.Contains("firstName", cache.Get("Many"));
        Assert.Equal("B", cache.GetOrCreateClass<Person>("Many", _ => new Person()).FirstName);
    }

    [Fact]
    public void A4_GetClass_throws_on_invalid_JSON()
    {
        using DistributedFileStoreCacheClass cache = new(_folder.Options());
        cache.Set("text", "not JSON");
        Assert.Throws<JsonException>(() => cache.GetClass<Person>("text"));
    }
}
