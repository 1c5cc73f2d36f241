namespace Larder.Server.Tests;

/// <summary>Tests that count the allocations of the whole process: no other test runs concurrently.</summary>
[CollectionDefinition(nameof(SequentialMeasurements), DisableParallelization = true)]
#pragma warning disable CA1711, CA1515 // xunit finds the type by its attribute and requires it to be public.
public sealed class SequentialMeasurements;
