using System.Reflection;
using System.Text;
using Larder.Client.Near;
using Larder.Client.Operations;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Near;

/// <summary>
/// Tests that each call that names a key removes the near cache's copy of that key (NEAR-22). The tests cover the operation table and the client's methods.
/// </summary>
public sealed class NearOperationsTests
{
    // Operations of the table that name two keys, no key, or a whole cache. All other operations name one key.
    private static readonly string[] s_ofTwoKeys = ["GetBatch", "KeysExist", "SetBatch", "SortedSetUnionStore"];
    private static readonly string[] s_ofNoKey = ["CreateCache", "ListCaches", "Ping", "Publish", "ScanKeys"];
    private static readonly string[] s_ofCache = ["DeleteCache", "FlushCache", "RemoveByTag"];

    // These methods remove no copy. The gets may return a copy. ScanKeysAsync and PublishAsync do not name the key of an item.
    private static readonly string[] s_methodsWithout = ["GetAsync", "GetOrCreateAsync", "GetOrCreateBatchAsync", "ScanKeysAsync", "PublishAsync"];

    public static TheoryData<string> OperationNames => [.. Operations().Select(NameOf)];

    public static TheoryData<string> MethodNames => [.. Methods().Select(static method => method.Name).Except(s_methodsWithout)];

    [Theory]
    [MemberData(nameof(OperationNames))]
    public void NEAR_22_every_operation_drops_the_copies_of_its_keys(string name)
    {
        using NearReads near = new(NearScript.Setting, TimeProvider.System, NullLogger.Instance);
        near.State.Opened(1, near.Now, TimeSpan.FromSeconds(3));
        Keep(near.State, "cache", "key");
        Keep(near.State, "cache", "key-2");
        Keep(near.State, "other", "key");
        Type type = Operations().Single(type => NameOf(type) == name);
        ConstructorInfo constructor = type.GetConstructors().MaxBy(static made => made.GetParameters().Length)!;
        object operation = constructor.Invoke([.. constructor.GetParameters().Select(given => Given(given, s_ofCache.Contains(name) ? "cache" : "key"))]);
        type.GetMethod(nameof(GetOperation.EndCopies))!.Invoke(operation, [near, "cache"]);
        string[] left = s_ofNoKey.Contains(name) ? ["cache/key", "cache/key-2", "other/key"]
            : s_ofTwoKeys.Contains(name) || s_ofCache.Contains(name) ? ["other/key"]
            : ["cache/key-2", "other/key"];
        Assert.Equal(left, near.State.Held.Select(static copy => $"{copy.Cache}/{Encoding.UTF8.GetString(copy.Key)}").Order());
    }

    [Theory]
    [MemberData(nameof(MethodNames))]
    public async Task NEAR_22_every_method_drops_copies_of_its_key_before_returning(string name)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(NearScript.Configured());
        Cache cache = client.Cache("cache");
        Expect.Success(await cache.SetAsync("key", "value"));
        await Eventually.Holds(() => client.NearReads!.Stream is not null, "it is the near stream");
        Expect.Hit(await cache.GetAsync("key"));
        Assert.True(cache.TryGetNear("key", out _));
        MethodInfo method = Methods().Single(method => method.Name == name);
        object answer = method.Invoke(cache, [.. method.GetParameters().Select(static given => Given(given, "key"))])!;
        object response = await (Task<object>)typeof(NearOperationsTests)
            .GetMethod(nameof(Awaited), BindingFlags.NonPublic | BindingFlags.Static)!
            .MakeGenericMethod(method.ReturnType.GenericTypeArguments)
            .Invoke(null, [answer])!;
        Assert.False(cache.TryGetNear("key", out _), response.ToString());
    }

    // Returns an argument for a parameter. In every parameter list, the keys are the first parameters.
    private static object? Given(ParameterInfo parameter, string key) => parameter.ParameterType switch
    {
        var bytes when bytes == typeof(CacheBytes) => (CacheBytes)(parameter.Name is "key" or "name" ? key : "value"),
        var texts when texts.IsAssignableFrom(typeof(CacheBytes[])) => parameter.Name == "keys" ? new CacheBytes[] { key, "key-2" } : ["value"],
        var items when items.IsAssignableFrom(typeof(SetBatchItem[])) => new SetBatchItem[] { new(key, "value"), new("key-2", "value") },
        var sources when sources.IsAssignableFrom(typeof(SortedSetSource[])) => new SortedSetSource[] { new("key-2") },
        var items when items.IsAssignableFrom(typeof(DictionaryItem[])) => new DictionaryItem[] { new("field", "value") },
        var elements when elements.IsAssignableFrom(typeof(SortedSetElement[])) => new SortedSetElement[] { new("value", 1) },
        var ranges when ranges.IsAssignableFrom(typeof(ListRange[])) => new ListRange[] { new(0, 1) },
        var time when time == typeof(TimeSpan) => TimeSpan.FromMinutes(1),
        var array when array.IsArray => Array.CreateInstance(array.GetElementType()!, 0),
        _ when parameter.HasDefaultValue => parameter.DefaultValue,
        var other => other.IsValueType ? Activator.CreateInstance(other) : null,
    };

    private static async Task<object> Awaited<T>(ValueTask<T> answer)
        where T : class => await Eventually.Within(answer);

    private static void Keep(NearState state, string cache, string key) => state.Answered(
        state.Begin(new NearKey(cache, Encoding.UTF8.GetBytes(key)), 1, TimeSpan.Zero),
        new ItemHit([1]),
        ticket: 1,
        TimeSpan.FromDays(1),
        TimeSpan.Zero);

    private static string NameOf(Type operation) => operation.Name.Replace("Operation", "", StringComparison.Ordinal);

    private static IEnumerable<Type> Operations() => typeof(CacheClient).Assembly.GetTypes().Where(static type =>
        type is { IsInterface: false, IsGenericType: false }
        && type.GetInterfaces().Any(static face => face.IsGenericType && face.GetGenericTypeDefinition() == typeof(IOperation<,>)));

    private static IEnumerable<MethodInfo> Methods() => typeof(Cache).GetMethods()
        .Where(static method => method.ReturnType is { IsGenericType: true } type && type.GetGenericTypeDefinition() == typeof(ValueTask<>));
}
