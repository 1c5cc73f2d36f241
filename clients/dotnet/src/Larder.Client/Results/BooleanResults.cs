namespace Larder.Client;

/// <summary>Shared results for the values true and false, so that a call does not allocate a result.</summary>
internal static class BooleanResults
{
    private static readonly LookupResult<bool> s_hitTrue = LookupResult<bool>.Hit(true);
    private static readonly LookupResult<bool> s_hitFalse = LookupResult<bool>.Hit(false);
    private static readonly CacheResult<bool> s_true = CacheResult<bool>.Success(true);
    private static readonly CacheResult<bool> s_false = CacheResult<bool>.Success(false);

    public static LookupResult<bool> Hit(bool value) => value ? s_hitTrue : s_hitFalse;

    public static CacheResult<bool> Success(bool value) => value ? s_true : s_false;
}
