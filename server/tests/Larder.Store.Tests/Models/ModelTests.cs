using FsCheck;
using FsCheck.Fluent;

namespace Larder.Store.Tests;

/// <summary>Checks that random operations on one thread give the same results as on a dictionary that stores expiry times.</summary>
public sealed class ModelTests
{
    [Fact]
    public void Any_sequence_of_operations_matches_model()
    {
        Gen<ModelStep> step =
            from kind in Gen.Choose(0, (int)ModelStepKind.Last - 1)
            from key in Gen.Choose(0, 5)
            from operand in Gen.Choose(0, 3)
            from ttlMs in Gen.Elements(1L, 50L, 1_000L, 100_000L, 5_000_000L, 86_400_000L)
            select new ModelStep((ModelStepKind)kind, key, operand, ttlMs);
        Property property = Prop.ForAll(step.ListOf().ToArbitrary(), steps =>
        {
            using var run = new ModelRun(maxMemoryBytes: 8L << 20);
            foreach (ModelStep one in steps)
            {
                run.Apply(one);
            }
        });
        property.Check(Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize(200));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Long_random_run_matches_model(int seed)
    {
        var random = new Random(seed);
        using var run = new ModelRun(maxMemoryBytes: 16L << 20);
        for (int i = 0; i < 30_000; i++)
        {
            run.Apply(ModelStep.Random(random, keys: 300));
            if (i % 3000 == 0)
            {
                run.AssertValid();
            }
        }
    }
}
