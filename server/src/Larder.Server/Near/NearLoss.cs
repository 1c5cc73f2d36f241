namespace Larder.Server.Near;

/// <summary>The streams for which the log does not contain every changed ticket. They must be cleared.</summary>
internal enum NearLoss
{
    /// <summary>No stream.</summary>
    None,

    /// <summary>The streams whose used registrations were counted.</summary>
    Counted,

    /// <summary>All streams.</summary>
    All,
}
