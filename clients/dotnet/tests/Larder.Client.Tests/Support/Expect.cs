namespace Larder.Client.Tests.Support;

/// <summary>Asserts that a result has the expected outcome. Returns the value or the error that the result contains.</summary>
internal static class Expect
{
    public static T Hit<T>(LookupResult<T> result)
    {
        Assert.True(result.IsHit, $"Expected a hit, not: {result}");
        return result.Value;
    }

    public static void Miss<T>(LookupResult<T> result) => Assert.True(result.IsMiss, $"Expected a miss, not: {result}");

    public static CacheError Error(object? result)
    {
        CacheError? error = Assert.IsAssignableFrom<ICacheResult>(result).Error;
        Assert.True(error is not null, $"Expected an error, not: {result}");
        return error;
    }

    public static void Success(CacheResult result) => Assert.True(result.IsSuccess, $"Expected success, not: {result}");

    public static T Success<T>(CacheResult<T> result)
    {
        Assert.True(result.IsSuccess, $"Expected success, not: {result}");
        return result.Value;
    }

    public static void Stored(SetIfResult result) => Assert.True(result.IsStored, $"Expected stored, not: {result}");

    public static void NotStored(SetIfResult result) => Assert.True(result.IsNotStored, $"Expected not stored, not: {result}");

    public static ReadOnlyMemory<byte> Stored(SetIfHashResult result)
    {
        Assert.True(result.IsStored, $"Expected stored, not: {result}");
        return result.Hash;
    }

    public static void NotStored(SetIfHashResult result) => Assert.True(result.IsNotStored, $"Expected not stored, not: {result}");

    public static GetOrCreateResult<T> Hit<T>(GetOrCreateResult<T> result) => From(GetOrCreateSource.Hit, result);

    public static GetOrCreateResult<T> Created<T>(GetOrCreateResult<T> result) => From(GetOrCreateSource.Created, result);

    public static GetOrCreateResult<T> Stale<T>(GetOrCreateResult<T> result) => From(GetOrCreateSource.Stale, result);

    public static GetOrCreateResult<T> Uncached<T>(GetOrCreateResult<T> result) => From(GetOrCreateSource.Uncached, result);

    private static GetOrCreateResult<T> From<T>(GetOrCreateSource source, GetOrCreateResult<T> result)
    {
        Assert.Equal(source, result.Source);
        return result;
    }
}
