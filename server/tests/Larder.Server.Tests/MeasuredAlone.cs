namespace Larder.Server.Tests;

/// <summary>Tests that count what the whole process allocates: nothing runs beside them.</summary>
[CollectionDefinition(nameof(MeasuredAlone), DisableParallelization = true)]
#pragma warning disable CA1711, CA1515 // xunit finds it by its attribute, and public.
public sealed class MeasuredAlone;
