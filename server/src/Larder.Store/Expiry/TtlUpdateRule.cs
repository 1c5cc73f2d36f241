namespace Larder.Store;

/// <summary>Decides whether a TTL update is applied.</summary>
internal static class TtlUpdateRule
{
    public static bool Applies(TtlUpdate kind, long newExpiryMs, long currentExpiryMs) => kind switch
    {
        TtlUpdate.IncreaseTo => newExpiryMs > currentExpiryMs,
        TtlUpdate.DecreaseTo => newExpiryMs < currentExpiryMs,
        TtlUpdate.OverwriteTo => true,
        _ => throw new ArgumentOutOfRangeException(nameof(kind), kind, "Unknown TTL update."),
    };
}
